import { beforeEach, expect, it, vi } from 'vitest'
import { noteLeft } from './running-answers.ts'

const running = vi.hoisted(() => new Map<string, boolean>())
vi.mock('../../shared/chats/index.ts', () => ({
  setRunning: (chatId: string, _by: string, isRunning: boolean) => running.set(chatId, isRunning),
}))
beforeEach(() => running.clear())

/** A socket whose events the test sends. */
function givenSocket() {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const live = {
    isLive: () => true,
    join: () => () => undefined,
    on: (event: string, listener: (payload: never) => void) => {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return () => void all.delete(listener)
    },
  }
  const tell = (event: string, payload: object) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload as never)
  }
  const listening = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0)
  return { live: live as unknown as Parameters<typeof noteLeft>[0], tell, listening }
}
const answer = (id: string, status: string) => ({ chatId: 'c1', message: { id, status } })

it.each([
  ['its last event', 'stream:done', { chatId: 'c1' }],
  ['a chat without a running answer', 'chat:init', { chatId: 'c1', lastMessageId: 'm1' }],
  ['its whole message, if its events were lost', 'msg:append', answer('m1', 'interrupted')],
])('an answer that is no longer read ends with %s', (_, event, payload) => {
  const { live, tell, listening } = givenSocket()
  noteLeft(live, 'c1', 'm1')
  tell('stream:done', { chatId: 'c2' })
  tell('msg:append', answer('m0', 'complete'))
  tell('msg:append', answer('m1', 'generating'))
  tell('chat:init', { chatId: 'c1', lastMessageId: 'm1', generating: { messageId: 'm1' } })
  expect(running.get('c1')).toBe(true)
  tell(event, payload)
  expect(running.get('c1')).toBe(false)
  expect(listening()).toBe(0)
})
