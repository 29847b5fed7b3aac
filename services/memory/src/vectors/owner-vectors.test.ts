import { maxDimensions, maxMemories } from '@parley/contracts'
import { expect, it } from 'vitest'
import { type Account, newAccount, type VectorDocument } from '../store/documents.ts'
import { createOwnerVectors } from './owner-vectors.ts'

const data = Buffer.alloc(Float32Array.BYTES_PER_ELEMENT * maxDimensions).toString('base64')
const ids = Array.from({ length: maxMemories }, (_none, nth) => `m${nth}`)
const doc: Account = {
  ...newAccount('me'),
  stored: Object.fromEntries(ids.map((id) => [id, id])),
  vectors: { space: 'model', stale: [], tries: 0 },
}

it('the most memories with vectors of the most dimensions are read once', async () => {
  const reads: number[] = []
  const owners = createOwnerVectors({
    async *read(ownerId, missing): AsyncGenerator<VectorDocument> {
      reads.push(missing.length)
      for (const id of missing) yield { id, ownerId, key: id, space: 'model', data }
    },
  })
  for (const version of [1, 1, 2]) expect((await owners.of({ doc, version }))?.byId.size).toBe(maxMemories)
  expect(reads).toEqual([maxMemories, 0])
})
