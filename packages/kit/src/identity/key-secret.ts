import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'sk-'
const randomLength = 32

/** A new secret of an API key: `sk-`, then 32 random bytes and their CRC-32 as base64url, 51 characters in all. */
export function createKeySecret(): string {
  const random = randomBytes(randomLength)
  return prefix + Buffer.concat([random, checksumOf(random)]).toString('base64url')
}

/** True for a text that `createKeySecret` can have made. The checksum detects a mistyped secret without a look-up. */
export function isKeySecret(text: string): boolean {
  if (!/^sk-[A-Za-z0-9_-]{48}$/.test(text)) return false
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  return checksumOf(bytes.subarray(0, randomLength)).equals(bytes.subarray(randomLength))
}

/** SHA-256 in hex, by which secrets are kept and asked for. The secret is random, so that no salt is needed. */
export const hashKeySecret = (secret: string): string => hash('sha256', secret)

function checksumOf(bytes: Uint8Array): Buffer {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(bytes))
  return checksum
}
