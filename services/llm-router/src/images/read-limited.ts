/** Reads a whole body. @throws Error, after cancelling it, when it exceeds `limit` bytes */
export async function readLimited(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body.
  for await (const part of body ?? []) {
    size += part.length
    if (size > limit) throw new Error('The answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
