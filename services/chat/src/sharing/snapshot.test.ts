import { expect, it } from 'vitest'
import type { Chat, ThreadMessage } from '../store/entities.ts'
import type { MessageStore } from '../store/message-store.ts'
import { snapshotOf } from './snapshot.ts'

const image = { id: 'f', type: 'image', mimeType: 'image/png', width: 1, height: 1 }
const said = (id: string, parts: object = {}) => ({
  id,
  role: 'user',
  content: `Text ${id}`,
  status: 'complete',
  attachments: [],
  createdAt: new Date(0),
  ...parts,
})
const thread = [
  said('q', { parentId: null, attachments: [image] }),
  said('a', { parentId: 'q', role: 'assistant', attachments: [image, { ...image, type: 'file' }] }),
  said('next', { parentId: 'a' }),
  said('going', { parentId: 'next', role: 'assistant', status: 'generating' }),
] as unknown as ThreadMessage[]
const messages = {
  outline: async () => thread,
  findMany: async (_chatId: string, ids: string[]) => thread.filter(({ id }) => ids.includes(id)),
} as unknown as MessageStore
const chat = { id: 'c', title: 'A chat', modelUsed: 'v3', leafId: 'going' } as Chat

it.each([
  ['as a whole', undefined],
  ['in parts', ['q', 'a', 'next', 'going']],
])(
  'a chat that is shared %s has the images of its answers, but neither those of its user nor an unfinished answer',
  async (_how, ids) => {
    const { messages: shared } = await snapshotOf(messages, chat, ids)
    expect(shared.map(({ id, images }) => [id, images.length])).toEqual([
      ['q', 0],
      ['a', 1],
      ['next', 0],
    ])
  },
)
