import { AppError } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { textKey } from '../account.ts'
import { type Account, newAccount } from '../store/documents.ts'
import { createOwnerVectors } from './owner-vectors.ts'
import { createRest } from './rest.ts'
import { createFindSimilar } from './similar-memories.ts'

const data = Buffer.from(Float32Array.of(1).buffer).toString('base64')
const key = textKey('A memory')
const accountOf = (id: string): { doc: Account; version: number } => {
  const settings = { ...newAccount(id).settings, semanticMemory: true }
  const vectors = { space: 'model', stale: [], tries: 0 }
  return { doc: { ...newAccount(id), settings, stored: { [key]: 'm1' }, vectors }, version: 1 }
}

it.each([
  ['refuses', 'validation_failed', 1],
  ['fails on', 'provider_error', 0],
] as const)('a message that the model %s, %s, lets another user find %i memories', async (_what, code, found) => {
  const owners = createOwnerVectors({
    async *read(ownerId) {
      yield { id: 'm1', ownerId, key, space: 'model', data }
    },
  })
  const embedder = {
    space: async () => 'model',
    async embed([text = '']: readonly string[]) {
      if (text === 'Refused') throw new AppError(code, 'Refused')
      return { space: 'model', vectors: [data] }
    },
  }
  const rest = createRest({ firstMs: 5_000, longestMs: 60_000 }, () => new Date(0))
  const find = createFindSimilar({ owners, vectors: { revive: async () => undefined }, embedder, rest, log: testLog })
  expect((await find(accountOf('ann'), 'Refused', 10_000)).size).toBe(0)
  expect((await find(accountOf('bob'), 'A question', 10_000)).size).toBe(found)
})
