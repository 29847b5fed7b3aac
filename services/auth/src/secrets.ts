import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from '@parley/kit'

/** The key for one purpose, and those of former secrets, which still open and recognise what they made. */
export type Keys = readonly [Buffer, ...Buffer[]]

/** Keys of auth, each for one purpose, derived from its secrets. */
export interface AuthKeys {
  /** Derives the successor of a refresh token. */
  readonly refresh: Keys
  /** Signs the token of a trusted device. */
  readonly browser: Keys
  /** Hashes mailed codes, which are too short for a plain hash. */
  readonly code: Keys
  /** Seals private signing keys at rest. */
  readonly sealing: Keys
}

/** @param secrets AUTH_SECRETS */
export function deriveKeys([present, ...former]: Secrets): AuthKeys {
  const derive = (purpose: string): Keys => {
    const key = (secret: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', `parley auth ${purpose}`, 32) as ArrayBuffer)
    return [key(present), ...former.map(key)]
  }
  return {
    refresh: derive('refresh'),
    browser: derive('browser'),
    code: derive('code'),
    sealing: derive('sealing'),
  }
}

/** 256 random bits as text that fits into a cookie. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a random token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** HMAC-SHA256 over parts that contain no NUL. */
export const keyedHash = (key: Buffer, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', key).update(parts.join('\0')).digest()

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM by the present key: nonce, tag, then ciphertext. @param context must be the same to open it again */
export function seal([key]: Keys, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Undefined when none of the keys sealed it, the context is another, or the bytes were changed. */
export function unseal(keys: readonly Buffer[], sealed: Buffer, context: string): Buffer | undefined {
  for (const key of keys) {
    const plain = unsealBy(key, sealed, context)
    if (plain !== undefined) return plain
  }
  return undefined
}

/** The same sealed by the present key; undefined when it is already, or none of the keys sealed it. */
export function reseal(keys: Keys, sealed: Buffer, context: string): Buffer | undefined {
  const [present, ...former] = keys
  if (unsealBy(present, sealed, context) !== undefined) return undefined
  const plain = unseal(former, sealed, context)
  return plain && seal(keys, plain, context)
}

function unsealBy(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
    return Buffer.concat([cipher.update(sealed.subarray(nonceBytes + tagBytes)), cipher.final()])
  } catch {
    // Every way of not opening is the same answer.
    return undefined
  }
}
