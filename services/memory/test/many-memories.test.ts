import { type Memory, maxMemories, memoryInternalRoutes } from '@parley/contracts'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GivenMemory, givenMemory } from './given-memory.ts'

let given: GivenMemory
beforeAll(async () => {
  given = await givenMemory()
})
afterAll(() => given.stop())

it(`a file of 10,000 memories fills an account with ${maxMemories}, which are found and listed as before`, async () => {
  const { userId, api } = given.user()
  const count = { imported: 0, full: 0 }
  for (let from = 0; from < 10_000; from += 500) {
    const memories = Array.from({ length: 500 }, (_, nth) => ({ text: `Entry ${from + nth} of a very long file` }))
    const { imported, full } = (await api.post('/api/memory/import', { memories })).body as typeof count
    count.imported += imported
    count.full += full
  }
  expect(count).toEqual({ imported: maxMemories, full: 10_000 - maxMemories })
  const body = { userId, message: 'What is entry 4711?', maxTokens: 1_000 }
  const { memories } = (await given.api.as(servicePrincipal('chat')).call(memoryInternalRoutes.relevant, { body })).body
  expect(memories[0]?.text).toBe('Entry 4711 of a very long file')
  const listed = (await api.get('/api/memory?query=entry%204711&limit=10')).body as { items: Memory[] }
  expect(listed.items.map(({ text }) => text)).toEqual(['Entry 4711 of a very long file'])
})

it('memories of times before 1970 are listed page by page, as all others', async () => {
  const { api } = given.user()
  const times = ['0001-01-01T00:00:00Z', '1950-06-01T00:00:00Z', '1969-12-31T23:59:59Z', '2001-01-01T00:00:00Z']
  await api.post('/api/memory/import', { memories: times.map((createdAt) => ({ text: createdAt, createdAt })) })
  const texts: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await api.get(`/api/memory?limit=1${cursor && `&cursor=${cursor}`}`)
    const { items, nextCursor } = page.body as { items: Memory[]; nextCursor: string | null }
    texts.push(...items.map(({ text }) => text))
    cursor = nextCursor
  }
  expect(texts).toEqual(times.toReversed())
})

it('a memory keeps its latest fifty versions, each without the space around it', async () => {
  const { api } = given.user()
  const added = await api.post('/api/memory', { text: 'Version 0' })
  const { id } = (added.body as { memory: Memory }).memory
  for (let nth = 1; nth <= 52; nth += 1) await api.patch(`/api/memory/${id}`, { text: ` Version ${nth}\n` })
  const { items } = (await api.get(`/api/memory/${id}/history`)).body as { items: { text: string }[] }
  expect(items.map(({ text }) => Number(/^Version (\d+)$/.exec(text)?.[1])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_none, nth) => nth + 2),
  )
  for (let nth = 0; nth <= 12; nth += 1) await api.patch(`/api/memory/${id}`, { text: `${nth}`.padEnd(2_000, '.,') })
  const long = (await api.get(`/api/memory/${id}/history`)).body as { items: { text: string }[] }
  expect(long.items.map(({ text }) => Number.parseInt(text, 10))).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})
