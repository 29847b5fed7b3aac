import { expect, it } from 'vitest'
import { findThreadPosition, type ThreadPositionDeps } from './thread-position.ts'

it('a message is later than every other of its chat, although the clock of another replica was ahead', async () => {
  const newest = new Date('2026-01-01T00:00:10Z')
  const deps = {
    stores: {
      chats: { find: async () => ({ id: 'c1' }) },
      messages: { path: async () => [{ id: 'm1', createdAt: newest }] },
    },
    newId: () => 'm2',
  }
  const caller = { kind: 'user', ownerId: 'ann', admin: false } as const
  const request = { kind: 'message', chatId: 'c1', text: 'Hi', attachments: undefined, modes: undefined } as const
  const at = async (now: Date): Promise<Date> =>
    (await findThreadPosition({ ...deps, now: () => now } as unknown as ThreadPositionDeps, caller, request)).at
  expect(await at(new Date('2026-01-01T00:00:00Z'))).toEqual(new Date(newest.getTime() + 1))
  expect(await at(new Date('2026-01-01T00:01:00Z'))).toEqual(new Date('2026-01-01T00:01:00Z'))
})
