import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { accessToken, type UserPrincipal } from '@parley/contracts'
import { type Clock, createFreshValue, type Logger, type NewId } from '@parley/kit'
import jwt from 'jsonwebtoken'
import { type Keys, reseal, seal, unseal } from '../secrets.ts'
import type { NewSigningKey, SealedKey, SigningKeyStore } from '../store/sessions/signing-key-store.ts'

export type AccessTokens = Awaited<ReturnType<typeof openAccessTokens>>

/** How long a replica signs with a key without looking whether another one has its turn. */
const lookEveryMs = 30_000

/** Signs access tokens with the key whose turn it is. One is made when there is none, or none that our secret opens. */
export async function openAccessTokens(deps: {
  readonly keys: SigningKeyStore
  readonly sealing: Keys
  readonly now: Clock
  readonly newId: NewId
  readonly log: Logger
}) {
  const fresh = createFreshValue<OpenKey>({ maxAgeMs: lookEveryMs, now: deps.now })
  const current = (): Promise<OpenKey> => fresh.get(() => currentKey(deps))
  await current()
  return {
    /** A JWT that states the user and the session, never their rights. @throws when the keys had to be read and could not be */
    sign: async (userId: string, sessionId: string): Promise<string> =>
      signToken(await current(), userId, { sid: sessionId }),
    /** The same for an admin who sees the product as a user, by the admin's session. The claim `act` names the admin (RFC 8693). */
    async signViewAs(userId: string, admin: Pick<UserPrincipal, 'userId' | 'sessionId'>) {
      const token = signToken(await current(), userId, { sid: admin.sessionId, act: { sub: admin.userId } })
      const { exp = 0 } = jwt.decode(token, { json: true }) ?? {}
      return { token, expiresAt: new Date(exp * 1000) }
    },
  }
}

interface OpenKey {
  readonly kid: string
  readonly key: KeyObject
}

async function currentKey({ keys, sealing, newId, log }: Parameters<typeof openAccessTokens>[0]): Promise<OpenKey> {
  const sealed = await keys.ensure(
    () => makeKey(sealing, newId()),
    (found) => {
      const usable = openKey(sealing, found) !== undefined
      if (!usable)
        log.warn({ kid: found.kid }, 'the signing key is sealed with another secret; a new one takes its place')
      return usable
    },
  )
  const key = openKey(sealing, sealed)
  if (key === undefined) throw new Error('The signing key cannot be opened')
  return { kid: sealed.kid, key }
}

/** Reseals with the current secret what former ones sealed. A key that none of them opens stays, and is replaced in its turn. */
export const resealSigningKeys = (keys: SigningKeyStore, sealing: Keys): Promise<void> =>
  keys.reseal(({ kid, privateKey }) => reseal(sealing, privateKey, kid))

/** A key pair for access tokens, its private half sealed. */
export function makeKey(sealing: Keys, kid: string): NewSigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    kid,
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: accessToken.algorithm },
    privateKey: seal(sealing, privateKey.export({ format: 'der', type: 'pkcs8' }), kid),
  }
}

function openKey(sealing: Keys, { kid, privateKey }: SealedKey): KeyObject | undefined {
  const der = unseal(sealing, privateKey, kid)
  return der && createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

const signToken = ({ kid, key }: OpenKey, userId: string, claims: object): string =>
  jwt.sign(claims, key, {
    algorithm: accessToken.algorithm,
    header: { alg: accessToken.algorithm, typ: accessToken.type, kid },
    issuer: accessToken.issuer,
    audience: accessToken.audience,
    subject: userId,
    expiresIn: accessToken.lifetimeSeconds,
  })
