import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keys of auth, each for one purpose, all derived from the secret that the services share. */
export interface AuthKeys {
  /** Derives the successor of a refresh token. */
  readonly refresh: Buffer
  /** Signs the note that a browser is known. */
  readonly browser: Buffer
  /** Hashes mailed codes, which are too short for a plain hash. */
  readonly code: Buffer
  /** Seals private signing keys at rest. */
  readonly sealing: Buffer
}

/** @param secret INTERNAL_SECRET */
export function deriveKeys(secret: string): AuthKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `parley auth ${purpose}`, 32) as ArrayBuffer)
  return {
    refresh: derive('refresh'),
    browser: derive('browser'),
    code: derive('code'),
    sealing: derive('sealing'),
  }
}

/** 256 random bits as text that fits into a cookie. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of a random token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** HMAC-SHA256 over parts that contain no NUL. */
export const keyedHash = (key: Buffer, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', key).update(parts.join('\0')).digest()

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM: nonce, tag, then ciphertext. @param context must be the same to open it again */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Undefined when the key or the context is another, or the bytes were changed. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
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
