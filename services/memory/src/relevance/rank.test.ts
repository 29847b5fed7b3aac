import { expect, it } from 'vitest'
import { textKey } from '../account.ts'
import { type Account, type MemoryDocument, newAccount } from '../store/documents.ts'
import { createMemoryIndex } from './memory-index.ts'
import { rank } from './rank.ts'

const ownerId = 'ann'
const memory = (id: string, text: string, at: number): MemoryDocument => ({
  ...{ id, ownerId, text, category: 'general', confidence: 'high', reason: null, source: null, merges: [] },
  ...{ createdAt: new Date(at), updatedAt: new Date(at), lastUsedAt: null, history: [] },
})
const texts = Array.from({ length: 100 }, (_, nth) =>
  memory(`m${nth}`, `Plan ${100 + nth} of the garden${' tidy'.repeat(nth % 7)}`, nth),
)
const account: Account = {
  ...newAccount(ownerId),
  stored: Object.fromEntries(texts.map(({ id, text }) => [textKey(text), id])),
}

function indexOf(documents: readonly MemoryDocument[]) {
  const reads: string[] = []
  const index = createMemoryIndex({
    account: async () => undefined,
    find: async (_owner, id) => {
      reads.push(id)
      return documents.find((each) => each.id === id)
    },
    async *all(_owner, named) {
      reads.push(named)
      yield* documents
    },
  })
  return { index, reads }
}

it('memories that match a message come first, best first and the latest of equals, then the latest of the others', async () => {
  const others = Array.from({ length: 15 }, (_, nth) => memory(`o${nth}`, `Fact ${nth}`, 1_000 + nth))
  const all = [...texts, ...others]
  const { index } = indexOf(all)
  const stored = Object.fromEntries(all.map(({ id, text }) => [textKey(text), id]))
  const found = rank(await index.of({ doc: { ...account, stored }, version: 1 }), {
    message: 'What about the garden, number 142?',
    maxTokens: 10_000,
  }).map(({ id }) => id)
  // The shorter ones, which say less else, and before all the one with the rare word.
  const shorter = texts.filter((_, nth) => nth % 7 === 0 && nth !== 42).map(({ id }) => id)
  const next = texts.filter((_, nth) => nth % 7 > 0).map(({ id }) => id)
  expect(found.slice(0, 15)).toEqual(['m42', ...shorter.toReversed()])
  expect(found.slice(15, 20)).toEqual(next.toReversed().slice(0, 5))
  expect(found.slice(20)).toEqual(Array.from({ length: 10 }, (_, nth) => `o${14 - nth}`))
})

it('an index is built again for what an account stores, and for no other change of it', async () => {
  const { index, reads } = indexOf(texts)
  const first = await index.of({ doc: account, version: 1 })
  expect(reads).toEqual(['stored'])
  const suggested = await index.of({ doc: { ...account, pending: { key: 'p' }, seen: 1 }, version: 2 })
  expect([suggested.version, suggested.entries]).toEqual([2, first.entries])
  expect(suggested.byWord).toBe(first.byWord)
  const [gone, ...left] = Object.entries(account.stored)
  const forgotten = await index.of({ doc: { ...account, stored: Object.fromEntries(left) }, version: 3 })
  expect(forgotten.entries.map(({ id }) => id)).not.toContain(gone?.[1])
  expect([forgotten.entries.length, reads]).toEqual([99, ['stored']])
})

it('a memory too long for what is left is passed over for a shorter one', async () => {
  const all = [memory('long', `The garden ${'is green '.repeat(50)}`, 2), memory('short', 'The garden is large', 1)]
  const stored = Object.fromEntries(all.map(({ id, text }) => [textKey(text), id]))
  const { index } = indexOf(all)
  const found = rank(await index.of({ doc: { ...account, stored }, version: 1 }), {
    message: 'What is green in the garden?',
    maxTokens: 20,
  })
  expect(found.map(({ id }) => id)).toEqual(['short'])
})
