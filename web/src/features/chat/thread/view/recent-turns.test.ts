import { expect, it } from 'vitest'
import { newAnswer, newUserMessage, type ThreadMessage } from '../state/thread-message.ts'
import { startOfRecent } from './recent-turns.ts'

const question = (key: string): ThreadMessage =>
  newUserMessage(key, { content: 'Why?', clientMessageId: null, createdAt: 0 })
const answer = (key: string): ThreadMessage => newAnswer(key, 'v3', 0)
/** Questions `q0`, `q1` … with the answers `a0`, `a1` … */
const exchanges = (count: number): ThreadMessage[] =>
  Array.from({ length: count }, (_, at) => [question(`q${at}`), answer(`a${at}`)]).flat()

it('the recent turns of a thread that is opened are its last question and answer, or an answer without a question', () => {
  expect(startOfRecent(exchanges(3), undefined, true)).toBe(4)
  expect(startOfRecent([...exchanges(1), answer('imported')], undefined, true)).toBe(2)
  expect(startOfRecent([...exchanges(3), question('unanswered')], undefined, true)).toBe(7)
  expect(startOfRecent([], undefined, true)).toBe(0)
})

it('later turns join the recent ones, which stay where they are', () => {
  expect(startOfRecent(exchanges(4), 'q2', true)).toBe(4)
  expect(startOfRecent(exchanges(32), 'q2', true)).toBe(4)
})

it('of more than 30 recent turns the last 10 remain, but not while the user reads elsewhere', () => {
  expect(startOfRecent(exchanges(33), 'q2', true)).toBe(2 * 23)
  expect(startOfRecent(exchanges(33), 'q2', false)).toBe(4)
})

it('when the first recent turn is gone, such as with another version of a question, they begin anew', () => {
  expect(startOfRecent(exchanges(3), 'gone', false)).toBe(4)
})
