import { expect, it } from 'vitest'
import { detachChats } from './detach-chats.ts'

const now = new Date('2030-01-01')

it.each([
  ['is kept by the chats that are left', ['a', 'b'], ['a'], { chatIds: ['b'] }],
  ['expires with its last chat', ['a', 'b'], ['b', 'a'], { chatIds: [], expiresAt: now }],
  ['stays as it is when other chats are gone', ['a'], ['b'], { chatIds: ['a'] }],
  ['keeps its own expiry while no message has it', [], ['a'], { chatIds: [] }],
])('a file %s', (_what, chatIds, gone, kept) => {
  expect(detachChats(chatIds, gone, now)).toEqual(kept)
})
