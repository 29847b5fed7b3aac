import { expect, it } from 'vitest'
import { copyChat } from './copy-chat.ts'

it('a copy for which its user has no room left is not made', async () => {
  const added: unknown[] = []
  const asked: [string, number][] = []
  const deps = {
    stores: { chats: { add: async (chat: unknown) => void added.push(chat) } },
    quota: {
      addChat: async <T>(_userId: string, add: () => Promise<T>) => await add(),
      refuseBytes: async (userId: string, bytes: number) => {
        asked.push([userId, bytes])
        throw new Error('full')
      },
    },
    changes: { updated: async () => undefined },
    now: () => new Date(0),
    newId: () => 'c',
  } as unknown as Parameters<typeof copyChat>[0]
  const messages = ['Grüße', 'Hi'].map((content) => ({
    role: 'user' as const,
    content,
    createdAt: '2026-01-01T00:00:00Z',
  }))
  await expect(copyChat(deps, { userId: 'u', title: 'A chat', model: 'v3', messages })).rejects.toThrow('full')
  expect([asked, added]).toEqual([[['u', 9]], []])
})
