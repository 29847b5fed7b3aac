import { expect, it } from 'vitest'
import type { Chat } from '../store/entities.ts'
import { type SearchDeps, searchChats } from './search-chats.ts'

it('a search reads the messages that it found in parts', async () => {
  const found = Array.from({ length: 35 }, (_none, nth) => ({
    chat: { id: `c${nth}`, title: 'Talk', modelUsed: 'v3', updatedAt: new Date(nth), createdAt: new Date(0) } as Chat,
    hit: { chatId: `c${nth}`, messageId: `m${nth}` },
  }))
  const parts: number[] = []
  const deps = {
    chats: { titles: async () => [], findMany: async () => found.map(({ chat }) => chat) },
    search: { find: async () => found.map(({ hit }) => hit) },
    messages: {
      contents: async (ids: readonly string[]) => {
        parts.push(ids.length)
        return ids.map((id) => ({ id, chatId: id.replace('m', 'c'), content: `The amber lantern of ${id}` }))
      },
    },
  } as unknown as SearchDeps
  const { chats } = await searchChats(deps, 'ann', 'lantern', { limit: 100 })
  expect(chats).toHaveLength(35)
  for (const { _id, match } of chats) {
    expect(match?.messageId).toBe(_id.replace('c', 'm'))
    expect(match?.snippet).toContain(`of ${match?.messageId}`)
  }
  expect(Math.max(...parts)).toBeLessThanOrEqual(10)
})
