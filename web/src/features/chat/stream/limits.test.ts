import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AnswerTransport, readAnswer, streamLimits } from './read-answer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('an answer that takes longer than 10 minutes fails', async () => {
  const transport: AnswerTransport = {
    send: (_body, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    resume: () => Promise.reject(new Error('There is nothing to resume')),
  }
  const deps = { transport, onWake: () => () => undefined, isOnline: () => true, random: () => 0, limits: streamLimits }
  const body = { message: 'Hi', model: 'v3', clientMessageId: 'one' }
  const reading = readAnswer(deps, { type: 'send', body }, new AbortController().signal)
  const ended = reading.next()
  const seen = vi.fn()
  void ended.then(seen)
  await vi.advanceTimersByTimeAsync(10 * 60_000 - 1)
  expect(seen).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await ended).toMatchObject({ done: true, value: { type: 'refused', failure: { code: 'timeout' } } })
})
