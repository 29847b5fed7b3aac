import { once } from 'node:events'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import type { Connection } from '../sockets/connection.ts'
import { createRoom, type RoomDeps } from './room.ts'

it('a room that its last connection leaves reads no answer any more', async () => {
  const readers: AbortSignal[] = []
  const streamLog = {
    async *read(_id: string, after: number, signal: AbortSignal) {
      readers.push(signal)
      await once(signal, 'abort')
      yield { seq: after + 1, data: '{"text":"late"}' }
    },
  }
  const generating = { messageId: 'm1', lastEventId: 0, content: '', reasoning: '' }
  const chats = { live: async () => ({ lastMessageId: 'm1', generating }), isMaking: async () => true }
  const deps = { streamLog, chats, log: testLog, now: () => new Date(), lookMs: 60_000 } as unknown as RoomDeps
  const connection = () => ({ emit: () => undefined, isOpen: () => true }) as unknown as Connection
  const [first, last] = [connection(), connection()]
  let isEmpty = false
  const room = createRoom(deps, { userId: 'ann', chatId: 'c1' }, () => {
    isEmpty = true
  })
  await room.join(first)
  await room.join(last)
  room.leave(first)
  expect([readers.map(({ aborted }) => aborted), isEmpty]).toEqual([[false], false])
  room.leave(last)
  expect([readers.map(({ aborted }) => aborted), isEmpty]).toEqual([[true], true])
})
