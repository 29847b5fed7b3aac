import type { Hash } from 'node:crypto'

/** A step of a pipeline that passes on what it reads and adds it to a checksum. */
export const hashing = (hash: Hash) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
