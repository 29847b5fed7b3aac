import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { accessToken } from '@parley/contracts'
import type { Logger, NewId } from '@parley/kit'
import jwt from 'jsonwebtoken'
import { seal, unseal } from './secrets.ts'
import type { NewSigningKey, SigningKeyStore } from './store/signing-key-store.ts'

/** Signs access tokens. */
export interface AccessTokens {
  /** A JWT that says who and in which session, never what they may. */
  sign(userId: string, sessionId: string): string
}

/** Signs with the current key, which is made when there is none, or none that our secret opens. */
export async function openAccessTokens(deps: {
  readonly keys: SigningKeyStore
  readonly sealing: Buffer
  readonly newId: NewId
  readonly log: Logger
}): Promise<AccessTokens> {
  const open = (sealed: Buffer, kid: string): KeyObject | undefined => {
    const der = unseal(deps.sealing, sealed, kid)
    return der && createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  }
  const current = await deps.keys.current(
    () => makeKey(deps.sealing, deps.newId()),
    ({ kid, privateKey }) => {
      const usable = open(privateKey, kid) !== undefined
      if (!usable) deps.log.warn({ kid }, 'the signing key is sealed with another secret; a new one takes its place')
      return usable
    },
  )
  const key = open(current.privateKey, current.kid)
  if (key === undefined) throw new Error('The signing key cannot be opened')
  return { sign: (userId, sessionId) => signToken(key, current.kid, userId, sessionId) }
}

const signToken = (key: KeyObject, kid: string, userId: string, sessionId: string): string =>
  jwt.sign({ sid: sessionId }, key, {
    algorithm: accessToken.algorithm,
    header: { alg: accessToken.algorithm, typ: accessToken.type, kid },
    issuer: accessToken.issuer,
    audience: accessToken.audience,
    subject: userId,
    expiresIn: accessToken.lifetimeSeconds,
  })

function makeKey(sealing: Buffer, kid: string): NewSigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    kid,
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: accessToken.algorithm },
    privateKey: seal(sealing, privateKey.export({ format: 'der', type: 'pkcs8' }), kid),
  }
}
