import { type AdminApiKey, adminApiKeySchema, type KeyTier, keyAdminRoutes, tierOf } from '@parley/contracts'
import {
  adminActOf,
  answerList,
  changedMeanwhile,
  hashKeySecret,
  isKeySecret,
  listed,
  mount,
  type Page,
  validationFailed,
} from '@parley/kit'
import type { IRouter } from 'express'
import { knownKeyOf, type StoredKey } from '../keys/key.ts'
import type { BillingParts } from '../parts.ts'
import { noKey } from './keys.ts'

/** All users' API keys, for admins. */
export function addAdminKeyRoutes(router: IRouter, parts: BillingParts): void {
  const { present, owners, signalKeyChanged, now } = parts
  const keys = parts.stores.keyAdmin
  const presentOne = async (key: StoredKey) => (await present.all([key]))[0] as AdminApiKey
  mount(router, keyAdminRoutes.keys, async ({ query }) => {
    const { query: text, userId, tier: tierName } = query
    const filter = { userId, tier: tierName && (Number(tierName) as KeyTier) }
    const searched = async (page: Page, found: string) => {
      const ownersOf = () => keys.ownersOf(page, { ...filter, query: found })
      return { ...filter, query: found, owners: await owners.matching(found, page.limit, ownersOf) }
    }
    return await answerList(query, {
      ...{ name: 'keys', row: adminApiKeySchema },
      async list(page) {
        const wanted = text === undefined ? filter : await searched(page, text)
        const { rows, next } = listed(await keys.list(page, wanted), page)
        return { rows: await present.all(rows), next }
      },
    })
  })
  mount(router, keyAdminRoutes.verifyKey, async (call) => {
    const secret = call.body.key.trim()
    if (!isKeySecret(secret)) {
      const message = 'Invalid key or verification failed.'
      return { body: { result: 'malformed' as const, valid: false, key: null, message } }
    }
    const found = await keys.verify(hashKeySecret(secret), adminActOf(call, parts))
    if (found === undefined) {
      const message = 'Verified but no matching record in the list.'
      return { body: { result: 'no_record' as const, valid: false, key: null, message } }
    }
    const valid = knownKeyOf(found, now()) !== null
    const message = valid ? 'This is a valid API key.' : 'This API key has expired or was rotated.'
    return { body: { result: 'found' as const, valid, key: await presentOne(found.key), message } }
  })
  mount(router, keyAdminRoutes.updateKey, async (call) => {
    const { params, body } = call
    const tier = tierOf(body.tier)
    if (tier !== 5 && body.customLimits !== undefined) {
      throw validationFailed([{ path: 'customLimits', message: 'Only tier 5 has custom limits' }])
    }
    const change = await keys.setTier(params.id, { ...body, tier }, adminActOf(call, parts))
    switch (change.outcome) {
      case 'unknown':
        throw noKey()
      case 'no_limits':
        throw validationFailed([{ path: 'customLimits', message: 'Tier 5 needs custom limits' }])
      case 'conflict':
        throw changedMeanwhile('this API key', await presentOne(change.key))
      case 'changed':
        await signalKeyChanged(change.key)
        return { body: { key: await presentOne(change.key) } }
      default:
        return change satisfies never
    }
  })
  mount(router, keyAdminRoutes.revokeKey, async (call) => {
    const key = await keys.revoke(call.params.id, adminActOf(call, parts))
    if (key === undefined) throw noKey()
    await signalKeyChanged(key)
    return {}
  })
  mount(router, keyAdminRoutes.resetUsage, async (call) => {
    const key = await keys.resetUsage(call.params.id, adminActOf(call, parts))
    if (key === undefined) throw noKey()
    return { body: { key: await presentOne(key) } }
  })
  mount(router, keyAdminRoutes.resetAllUsage, async (call) => ({
    body: { reset: await keys.resetAllUsage(adminActOf(call, parts)) },
  }))
}
