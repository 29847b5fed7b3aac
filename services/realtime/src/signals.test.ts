import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { type SignalsDeps, subscribeSignals } from './signals.ts'

/** Subscriptions of a service without connections; `renewed` lists what was read again. */
function given() {
  const missed: (() => void)[] = []
  const hintsMissed: (() => void)[] = []
  const told = new Map<string, () => void>()
  const renewed: string[] = []
  const none = () => () => undefined
  const deps = {
    signal: {
      subscribe: (name: string, handler: () => void) => {
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
    principals: { clear: () => void renewed.push('rights') },
    connections: {
      reviewAll: async () => void renewed.push('connections'),
      emitAll: (event: string) => void renewed.push(event),
      emitToAdmins: (event: string) => void renewed.push(event),
      all: () => [{ userId: 'ann' }],
    },
    credits: { renew: (userIds: string[]) => void renewed.push(`credits of ${userIds}`) },
    rooms: { renewAll: () => void renewed.push('chats') },
    ...{ log: testLog, now: () => new Date() },
  } as unknown as SignalsDeps
  return { missed, hintsMissed, told, renewed, end: subscribeSignals(deps) }
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
