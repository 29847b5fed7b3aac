import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type StreamFrame, writeEventStream } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController()
    setTimeout(() => late.abort(), ms)
    return late.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Three frames to a reader that takes nothing after the first. @param destroyed it has left before */
function given(destroyed = false) {
  const written: string[] = []
  const response = Object.assign(new EventEmitter(), {
    destroyed,
    writableNeedDrain: false,
    flushHeaders: () => undefined,
    write(text: string) {
      written.push(text)
      response.writableNeedDrain = true
      return false
    },
    end: () => void written.push('end'),
    destroy: () => void response.emit('close'),
  })
  async function* frames(): AsyncGenerator<StreamFrame> {
    for (const data of ['1', '2', '3']) yield { data }
  }
  const done = writeEventStream(response as unknown as ServerResponse, frames())
  const drain = () => {
    response.writableNeedDrain = false
    response.emit('drain')
  }
  return { written, done, drain }
}

it('a slow reader of an event stream is given no further frame and no heartbeat until it has read', async () => {
  const { written, done, drain } = given()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(written).toEqual(['data: 1\n\n'])
  drain()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(written).toEqual(['data: 1\n\n', 'data: 2\n\n'])
  drain()
  await vi.advanceTimersByTimeAsync(0)
  drain()
  await done
  expect(written.at(-1)).toBe('end')
})

it('a reader of an event stream that takes nothing for half a minute is dropped', async () => {
  const { written, done } = given()
  await vi.advanceTimersByTimeAsync(30_000)
  await done
  expect(written).toEqual(['data: 1\n\n'])
})

it('an event stream whose reader left before it began ends with its first frame', async () => {
  const { written, done } = given(true)
  const ended = vi.fn()
  void done.then(ended)
  await vi.advanceTimersByTimeAsync(0)
  expect([written.length, ended.mock.calls.length]).toEqual([1, 1])
})
