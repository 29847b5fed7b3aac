/** A random 128-bit id in 32 hexadecimal digits, by which the server deduplicates a message. */
export function createClientMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
