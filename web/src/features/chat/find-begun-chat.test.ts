import type { ChatDetail, ChatSummary } from '@parley/contracts'
import { expect, it } from 'vitest'
import { findBegunChat } from './find-begun-chat.ts'

const listed = (_id: string, updatedAt: string, pinned = false) => ({ _id, updatedAt, pinned }) as ChatSummary
const readerOf = (chats: readonly ChatSummary[], begunBy: Readonly<Record<string, string>>) => ({
  listChats: async () => chats,
  readChat: async (id: string) => ({ messages: [{ clientMessageId: begunBy[id] }] }) as ChatDetail,
})

it('a new chat is found by the clientMessageId of its message, although pinned chats are listed first', async () => {
  const chats = [listed('old', '2030-01-01T00:00:00Z', true), listed('new', '2030-01-02T00:00:00Z')]
  expect(await findBegunChat(readerOf(chats, { new: 'mine' }), 'mine')).toBe('new')
})

it.each([
  ['another message’s chat', [listed('new', '2030-01-02T00:00:00Z')]],
  ['no chats', []],
])('no new chat is found in %s', async (_, chats) => {
  expect(await findBegunChat(readerOf(chats, { new: 'other' }), 'mine')).toBeNull()
})
