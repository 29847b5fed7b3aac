import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { type SignalsDeps, subscribeSignals } from './signals.ts'

/** Subscriptions of a service without connections; `renewed` lists what was read again, `sent` the events for users, `changed` the chats whose rooms were told. */
function given() {
  const missed: (() => void)[] = []
  const hintsMissed: (() => void)[] = []
  const told = new Map<string, (payload?: unknown) => void>()
  let subscribed = 0
  const renewed: string[] = []
  const sent: [event: string, data: unknown][] = []
  const changed: string[] = []
  const none = () => {
    subscribed += 1
    return () => {
      subscribed -= 1
    }
  }
  const deps = {
    signal: {
      subscribe: (name: string, handler: (payload?: unknown) => void) => {
        told.set(name, handler)
        return none()
      },
      onMissed: (handler: () => void) => {
        missed.push(handler)
        return none()
      },
      onHintsMissed: (handler: () => void) => {
        hintsMissed.push(handler)
        return none()
      },
    },
    principals: {
      clear: () => void renewed.push('rights'),
      drop: (userId: string) => void renewed.push(`rights of ${userId}`),
    },
    connections: {
      reviewAll: async () => void renewed.push('connections'),
      review: async (userId: string) => void renewed.push(`connections of ${userId}`),
      emit: (_userId: string, event: string, data: unknown) => void sent.push([event, data]),
      emitAll: (event: string) => void renewed.push(event),
      emitToAdmins: (event: string) => void renewed.push(event),
      all: () => [{ userId: 'ann' }],
    },
    credits: { renew: (userIds: string[]) => void renewed.push(`credits of ${userIds}`) },
    rooms: {
      renewAll: () => void renewed.push('chats'),
      changed: ({ chatId }: { chatId: string }) => void changed.push(chatId),
    },
    ...{ log: testLog, now: () => new Date(0) },
  } as unknown as SignalsDeps
  const end = subscribeSignals(deps)
  return { missed, hintsMissed, told, renewed, sent, changed, end, subscribed: () => subscribed }
}

it('after missed signals everything that may have changed is read again: rights, models and credits, or the chats', () => {
  const { missed, hintsMissed, renewed, end } = given()
  for (const tell of missed) tell()
  expect(renewed).toEqual(['rights', 'connections', 'models:update', 'users:update', 'credits of ann'])
  for (const tell of hintsMissed) tell()
  expect(renewed.slice(5)).toEqual(['chats', 'credits of ann'])
  end()
})

it('missed hints may have been of admins and of credits too: those are read again', () => {
  const { hintsMissed, renewed, end } = given()
  for (const tell of hintsMissed) tell()
  expect(renewed).toEqual(['chats', 'users:update', 'credits of ann'])
  end()
})

it('cleared caches are those of rights too', () => {
  const { told, renewed, end } = given()
  told.get('caches-cleared')?.()
  expect(renewed).toEqual(['rights'])
  end()
})

it('a changed user has the cached rights dropped before the connections are reviewed', () => {
  const { told, renewed, end } = given()
  told.get('principal-changed')?.({ userId: 'ann' })
  expect(renewed.slice(0, 2)).toEqual(['rights of ann', 'connections of ann'])
  end()
})

it('a deleted or archived chat is told to its owner and its room', () => {
  const { told, sent, changed, end } = given()
  told.get('chat-changed')?.({ userId: 'ann', chatId: 'a', kind: 'deleted' })
  told.get('chat-changed')?.({ userId: 'ann', chatId: 'b', kind: 'updated', archived: true })
  const updatedAt = new Date(0).toISOString()
  expect(sent).toEqual([
    ['chat:delete', { chatId: 'a' }],
    ['chat:update', { chatId: 'b', archived: true, updatedAt }],
  ])
  expect(changed).toEqual(['a', 'b'])
  end()
})

it.each([
  [500, 'chat:delete', 500],
  [501, 'chats:delete', 1],
])('%i chats deleted at once are told by %s, %i times, and to every room', (count, event, times) => {
  const { told, sent, changed, end } = given()
  const chats = Array.from({ length: count }, (_none, nth) => ({ chatId: `c${nth}` }))
  told.get('chats-changed')?.({ userId: 'ann', kind: 'deleted', chats })
  expect(sent.map(([name]) => name)).toEqual(Array(times).fill(event))
  expect(changed).toEqual(chats.map(({ chatId }) => chatId))
  end()
})

it('all subscriptions end', () => {
  const { subscribed, end } = given()
  expect(subscribed()).toBeGreaterThan(0)
  end()
  expect(subscribed()).toBe(0)
})
