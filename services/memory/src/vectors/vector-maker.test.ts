import { AppError } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import type { VectorStore } from '../store/vector-store.ts'
import type { Embedder } from './embedder.ts'
import { createRest } from './rest.ts'
import { createVectorMaker } from './vector-maker.ts'

/** Owners with one memory each, by the owner's name, and the owners whose vectors were created and whose work was postponed. */
function given(owners: readonly string[], failures: Readonly<Record<string, Error>>) {
  const kept: string[] = []
  const postponed: string[] = []
  const stale = [{ id: 'm1', key: 'k1' }]
  const vectors = {
    due: async () => owners,
    claim: async () => ({ kind: 'make', stale }),
    remove: async () => undefined,
    texts: async (ownerId: string) => new Map([['m1', ownerId]]),
    keep: async (ownerId: string) => void kept.push(ownerId),
    settle: async () => ({ kind: 'make', stale: [] }),
    postpone: async (ownerId: string) => void postponed.push(ownerId),
  } as unknown as VectorStore
  const embedder: Embedder = {
    space: async () => 'model',
    async embed([text = '']) {
      const failure = failures[text]
      if (failure !== undefined) throw failure
      return { space: 'model', vectors: [''] }
    },
  }
  const rest = createRest({ firstMs: 5_000, longestMs: 60_000 }, () => new Date(0))
  const make = createVectorMaker({ vectors, embedder, rest, log: testLog })
  return { make: () => make(new AbortController().signal), kept, postponed }
}

it("an owner whose texts the provider refuses delays no other owner's vectors", async () => {
  const { make, kept, postponed } = given(['ann', 'bob'], { ann: new AppError('validation_failed', 'Refused') })
  await make()
  expect([kept, postponed]).toEqual([['bob'], ['ann']])
})

it('a model that fails delays the vectors of all owners', async () => {
  const { make, kept, postponed } = given(['ann', 'bob'], { ann: new AppError('provider_error', 'Away') })
  await make()
  await make()
  expect([kept, postponed]).toEqual([[], ['ann']])
})
