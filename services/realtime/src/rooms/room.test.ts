import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { notFound } from '@parley/kit'
import { testLog } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
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
  const emptied = (): void => {
    isEmpty = true
  }
  const room = createRoom(deps, { userId: 'ann', chatId: 'c1' }, { emptied, removed: () => undefined })
  await room.join(first)
  await room.join(last)
  room.leave(first)
  expect([readers.map(({ aborted }) => aborted), isEmpty]).toEqual([[false], false])
  room.leave(last)
  expect([readers.map(({ aborted }) => aborted), isEmpty]).toEqual([[true], true])
})

it('a room whose only connection is muted reads no answer, neither its message, and other messages a little later', async () => {
  const asked: string[] = []
  const chats = {
    live: async () => ({
      lastMessageId: 'm1',
      generating: { messageId: 'm1', lastEventId: 0, content: '', reasoning: '' },
    }),
    message: async (_chat: unknown, id: string) => asked.push(id),
  }
  const streamLog = { read: () => asked.push('log') }
  const deps = { streamLog, chats, log: testLog, now: () => new Date(), lookMs: 60_000 } as unknown as RoomDeps
  const listener = { emptied: () => undefined, removed: () => undefined }
  const room = createRoom(deps, { userId: 'ann', chatId: 'c1' }, listener)
  const heard: string[] = []
  const emit = (event: string) => void heard.push(event)
  await room.join({ emit, isOpen: () => true } as unknown as Connection, true)
  room.began('m2')
  await setImmediate()
  expect([asked, heard]).toEqual([[], ['joined', 'chat:init']])
  room.changed('m3')
  await setImmediate()
  expect(asked).toEqual([])
  await expect.poll(() => asked).toEqual(['m3'])
  await room.join({ emit, isOpen: () => true } as unknown as Connection)
  room.changed('m4')
  await setImmediate()
  expect(asked).toContain('m4')
})

describe('the state of a room that is read again', () => {
  /** A room with one member; each reading of the chat's state waits for `answers` to be called. */
  async function given() {
    const answers: ((outcome: object | Error) => void)[] = []
    const live = () =>
      new Promise((resolve, reject) =>
        answers.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
      )
    const deps = { chats: { live }, log: testLog, now: () => new Date(), lookMs: 60_000 } as unknown as RoomDeps
    const heard: unknown[][] = []
    const emit = (event: string, { lastMessageId }: { lastMessageId?: string }) =>
      void heard.push([event, lastMessageId])
    const connection = { emit, isOpen: () => true } as unknown as Connection
    const emptied = vi.fn()
    const room = createRoom(deps, { userId: 'ann', chatId: 'c1' }, { emptied, removed: () => undefined })
    const joined = room.join(connection)
    answers.shift()?.({ lastMessageId: 'm1' })
    await joined
    heard.splice(0)
    return { room, connection, answers, heard, emptied }
  }

  it('is not sent to a connection that has left meanwhile', async () => {
    const { room, connection, answers, heard } = await given()
    room.renew()
    room.leave(connection)
    answers[0]?.({ lastMessageId: 'm2' })
    await setImmediate()
    expect(heard).toEqual([])
  })

  it('is sent once, the latest, if it is read twice at once', async () => {
    const { room, answers, heard } = await given()
    room.renew()
    room.renew()
    answers[1]?.({ lastMessageId: 'm3' })
    await setImmediate()
    answers[0]?.({ lastMessageId: 'm2' })
    await setImmediate()
    expect(heard).toEqual([['chat:init', 'm3']])
  })

  it('is announced as joined to a connection whose join fails after that', async () => {
    const { room, answers } = await given()
    const heard: string[] = []
    const emit = (event: string) => void heard.push(event)
    const joining = room.join({ emit, isOpen: () => true } as unknown as Connection)
    room.renew()
    const [joins, , renews] = answers
    renews?.({ lastMessageId: 'm2' })
    await setImmediate()
    joins?.(notFound('Chat not found.'))
    await joining
    expect(heard).toEqual(['joined', 'chat:init'])
  })

  it.each([
    ['for a chat that no longer exists', notFound('Chat not found.')],
    ['in a form that is not known', new TypeError('an unknown form')],
  ])('is refused %s, and the connections leave the room', async (_what, failure) => {
    const { room, answers, heard, emptied } = await given()
    room.renew()
    answers[0]?.(failure)
    await setImmediate()
    expect(heard).toEqual([['chat:error', undefined]])
    expect(emptied).toHaveBeenCalledOnce()
  })

  it('is refused without an effect on a connection that has joined again meanwhile', async () => {
    const { room, connection, answers, heard, emptied } = await given()
    room.renew()
    const joined = room.join(connection)
    answers[1]?.({ lastMessageId: 'm2' })
    await joined
    answers[0]?.(notFound('Chat not found.'))
    await setImmediate()
    expect(heard.map(([event]) => event)).toEqual(['joined', 'chat:init'])
    expect(emptied).not.toHaveBeenCalled()
  })
})
