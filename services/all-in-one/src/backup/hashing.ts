import type { Hash } from 'node:crypto'

/** A pass-through step of a pipeline that updates a checksum. */
export const hashing = (hash: Hash) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
