import { notFound } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Connection } from '../sockets/connection.ts'
import { createRooms } from './rooms.ts'

/** Rooms of which a connection may join two. @param live reads the state of a chat */
function given(live: (chat: { chatId: string }) => Promise<object> = async () => ({ lastMessageId: null })) {
  const limits = { lookMs: 60_000, chatsPerConnection: 2, joins: { burst: 100, perSecond: 1 } }
  const deps = { ...limits, chats: { live }, log: testLog, now: () => new Date() }
  return createRooms(deps as unknown as Parameters<typeof createRooms>[0])
}

it('a chat that no longer exists when its state is read again does not count as joined any more', async () => {
  const gone = new Set<string>()
  const rooms = given(async ({ chatId }) => {
    if (gone.has(chatId)) throw notFound()
    return { lastMessageId: null }
  })
  const heard: unknown[] = []
  const emit = (event: string, { chatId }: { chatId: string }) => void heard.push([event, chatId])
  const ann = { emit, userId: 'ann' } as unknown as Connection
  for (const chatId of ['c1', 'c2']) await rooms.join(ann, chatId)
  await expect(rooms.join(ann, 'c3')).rejects.toMatchObject({ code: 'rate_limited' })
  gone.add('c1')
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  rooms.renewAll()
  await expect.poll(() => heard).toContainEqual(['chat:error', 'c1'])
  await rooms.join(ann, 'c3')
  expect(rooms.size()).toBe(2)
})

it('a connection whose last joined chat was deleted is forgotten when it closes', async () => {
  const rooms = given()
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
