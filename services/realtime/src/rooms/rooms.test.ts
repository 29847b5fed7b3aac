import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import type { Connection } from '../sockets/connection.ts'
import { createRooms } from './rooms.ts'

it('a connection whose last joined chat was deleted is forgotten when it closes', async () => {
  const chats = { live: async () => ({ lastMessageId: null }) }
  const deps = { chats, log: testLog, now: () => new Date(), lookMs: 60_000, chatsPerConnection: 2 }
  const rooms = createRooms(deps as unknown as Parameters<typeof createRooms>[0])
  const remove = (chatId: string): void => rooms.changed({ userId: 'ann', chatId, kind: 'deleted' })
  let looks = 0
  const closed = {
    emit: () => undefined,
    get userId() {
      looks += 1
      return 'ann'
    },
  } as unknown as Connection
  const open = { emit: () => undefined, userId: 'ann' } as unknown as Connection
  await rooms.join(closed, 'c1')
  remove('c1')
  rooms.leaveAll(closed)
  await rooms.join(open, 'c2')
  looks = 0
  // Looks at every connection that is known.
  remove('c2')
  expect([looks, rooms.size()]).toEqual([0, 0])
})
