import { expect, it } from 'vitest'
import { textKey } from '../account.ts'
import { type MemoryDocument, newAccount } from '../store/documents.ts'
import { createMemoryIndex } from './memory-index.ts'

/** An index of accounts that each have 500 memories, with the ids of the accounts that were read. */
function givenIndex(textOf: (nth: number) => string) {
  const texts = Array.from({ length: 500 }, (_none, nth) => textOf(nth))
  const stored = Object.fromEntries(texts.map((text, nth) => [textKey(text), `${nth}`]))
  const documents = texts.map((text, nth) => ({ id: `${nth}`, text, updatedAt: new Date(nth) }) as MemoryDocument)
  const read: string[] = []
  const index = createMemoryIndex({
    account: async () => undefined,
    find: async () => undefined,
    async *all(ownerId) {
      read.push(ownerId)
      yield* documents
    },
  })
  const ask = (id: string) => index.of({ doc: { ...newAccount(id), stored }, version: 1 })
  return { ask, read }
}

it('an index is read once, and again after others that have taken its room: long memories take more of it', async () => {
  const short = givenIndex((nth) => `Fact ${nth}`)
  const long = givenIndex((nth) => `Fact ${nth} ${'x'.repeat(1_900)}`)
  for (const { ask } of [short, long]) {
    await ask('first')
    for (let nth = 0; nth < 60; nth += 1) await ask(`other ${nth}`)
    await ask('first')
  }
  expect(short.read.filter((id) => id === 'first')).toHaveLength(1)
  expect(long.read.filter((id) => id === 'first')).toHaveLength(2)
})
