import { type ApiKey, keyInternalRoutes, keyRoutes, maxKeysPerUser } from '@parley/contracts'
import {
  AppError,
  actingUser,
  type Clock,
  createKeySecret,
  hashKeySecret,
  mount,
  notFound,
  validationFailed,
} from '@parley/kit'
import type { IRouter } from 'express'
import { knownKeyOf, type SecretMark, type StoredKey } from '../keys/key.ts'
import type { BillingParts } from '../parts.ts'

/** The refusal for a missing key and for another user's. */
export const noKey = () => notFound('API key not found')

/** API keys for their owners, and look-ups for the gateway and llm-router. */
export function addKeyRoutes(router: IRouter, parts: BillingParts): void {
  const { present, used, signalKeyChanged, newId, now } = parts
  const { keys } = parts.stores
  const presentOne = async (key: StoredKey) => (await present.own([key]))[0] as ApiKey
  mount(router, keyRoutes.keys, async ({ principal }) => ({
    body: { keys: await present.own(await keys.listOf(actingUser(principal).userId)) },
  }))
  mount(router, keyRoutes.createKey, async ({ principal, body }) => {
    const { userId } = actingUser(principal)
    const secret = createKeySecret()
    const expiresAt = futureTime(body.expiresAt, now)
    const key = await keys.create({
      ...{ id: newId(), userId, label: body.label.trim(), secret: markOf(secret) },
      expiresAt: expiresAt ?? null,
    })
    if (key === 'full') {
      throw new AppError('conflict', `You have ${maxKeysPerUser} API keys, the most allowed. Revoke one first.`)
    }
    return { body: { key: await presentOne(key), secret } }
  })
  mount(router, keyRoutes.updateKey, async ({ principal, params, body }) => {
    const { userId } = actingUser(principal)
    const expiresAt = futureTime(body.expiresAt, now)
    const change = {
      ...(body.label !== undefined && { label: body.label.trim() }),
      ...(expiresAt !== undefined && { expiresAt }),
    }
    const key = await keys.change(userId, params.id, change)
    if (key === undefined) throw noKey()
    if (expiresAt !== undefined) await signalKeyChanged(key)
    return { body: { key: await presentOne(key) } }
  })
  mount(router, keyRoutes.rotateKey, async ({ principal, params, body }) => {
    const { userId } = actingUser(principal)
    const secret = createKeySecret()
    const key = await keys.rotate(userId, params.id, markOf(secret), body.overlapMinutes)
    if (key === undefined) throw noKey()
    if (key === 'too_many') {
      throw new AppError(
        'conflict',
        'Too many former secrets of this API key are still valid. Rotate it with a shorter overlap.',
      )
    }
    await signalKeyChanged(key)
    return { body: { key: await presentOne(key), secret } }
  })
  mount(router, keyRoutes.revokeKey, async ({ principal, params }) => {
    const { userId } = actingUser(principal)
    if (!(await keys.revoke(userId, params.id))) throw noKey()
    await signalKeyChanged({ id: params.id, userId })
    return {}
  })
  mount(router, keyInternalRoutes.show, async ({ params }) => {
    const key = (await keys.listOf(params.userId)).find(({ id }) => id === params.id)
    if (key === undefined) throw noKey()
    return { body: { key: await presentOne(key) } }
  })
  mount(router, keyInternalRoutes.find, async ({ params }) => {
    const key = knownKeyOf(await keys.find(params.hash), now())
    if (key !== null) used.note(key.keyId)
    return { body: { key } }
  })
}

const markOf = (secret: string): SecretMark => ({
  hash: hashKeySecret(secret),
  prefix: secret.slice(0, 7),
  lastFour: secret.slice(-4),
})

/** @throws AppError validation_failed for a time that is not in the future */
function futureTime(time: string | null | undefined, now: Clock): Date | null | undefined {
  if (time === undefined || time === null) return time
  const at = new Date(time)
  if (at <= now()) throw validationFailed([{ path: 'expiresAt', message: 'Must be in the future' }])
  return at
}
