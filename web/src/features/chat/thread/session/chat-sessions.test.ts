import { expect, it } from 'vitest'
import { given, message } from '../../../../testing/given-session.ts'
import { beginResume } from '../state/begin-answer.ts'
import { fromServer, newUserMessage } from '../state/thread-message.ts'
import type { ThreadState } from '../state/thread-state.ts'
import { createChatSessions } from './chat-sessions.ts'

/** A page that has shown the chat `first`, left in the given state, and then 20 others. */
function shown(state: (thread: ThreadState) => ThreadState) {
  const sessions = createChatSessions((chatId) => given({ chatId }).session)
  const first = sessions.get('first')
  first.store.setState(state, true)
  for (let number = 1; number <= 20; number += 1) sessions.get(`c${number}`)
  return { sessions, first }
}
const stored = fromServer(message({ id: 'u1' }))
const unsent = newUserMessage('k1', { content: 'Hi', clientMessageId: 'mine', createdAt: 0 })

it('the last twenty idle chats stay in memory, and others are reloaded when they are opened again', () => {
  const { sessions, first } = shown((thread) => ({ ...thread, messages: [stored] }))
  const second = sessions.get('c1')
  expect(sessions.get('first')).not.toBe(first)
  expect(sessions.get('c1')).toBe(second)
  expect(sessions.get('c20')).toBe(sessions.get('c20'))
})

it.each<[string, (thread: ThreadState) => ThreadState]>([
  ['whose answer is being generated', (thread) => beginResume(thread, 'a1', 0)],
  ['with a message that could not be sent', (thread) => ({ ...thread, messages: [stored, unsent] })],
  ['with such a message beside an old part of it', (thread) => ({ ...thread, unsent: [unsent] })],
  [
    'with a question that is being rewritten',
    (thread) => ({ ...thread, messages: [stored], editing: { key: stored.key, text: '' } }),
  ],
])('a chat %s stays in memory however many others are opened', (_which, state) => {
  const { sessions, first } = shown(state)
  expect(sessions.get('first')).toBe(first)
})

it('a deleted chat is read no further, and all are left at once', () => {
  const left: (string | null)[] = []
  const sessions = createChatSessions((chatId) => ({
    ...given({ chatId }).session,
    leave: () => void left.push(chatId),
  }))
  for (const chat of ['c1', 'c2', null]) sessions.get(chat)
  sessions.forget('c1')
  expect(left).toEqual(['c1'])
  sessions.leaveAll()
  expect(left).toEqual(['c1', 'c2', null])
})

it('a new chat whose message waits is not forgotten when another one is begun, until it is stored', () => {
  const { sessions } = shown((thread) => thread)
  const waiting = sessions.get(null)
  waiting.store.setState((thread) => beginResume(thread, 'a1', 0), true)
  sessions.renew()
  const idle = sessions.get(null)
  sessions.renew()
  expect(sessions.get(null)).not.toBe(waiting)
  expect(sessions.all()).toContain(waiting)
  expect(sessions.all()).not.toContain(idle)
  sessions.adopt(waiting, 'begun')
  expect(sessions.all().filter((one) => one === waiting)).toHaveLength(1)
})

it('a new chat keeps its session when it gets its id', () => {
  const { sessions } = shown((thread) => thread)
  const begun = sessions.get(null)
  sessions.adopt(begun, 'begun')
  expect(sessions.get('begun')).toBe(begun)
  expect(sessions.get(null)).not.toBe(begun)
})
