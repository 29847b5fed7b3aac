/** Media types of generated images. */
export type ImageFormat = 'image/png' | 'image/jpeg' | 'image/webp'

/** Detects the type by magic bytes, whatever the declared type; undefined for anything else. */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return beginning.startsWith('RIFF') && beginning.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined
}
