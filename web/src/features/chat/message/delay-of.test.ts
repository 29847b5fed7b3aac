import type { AnswerDelay } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { emptyAnswer, type LiveAnswer } from '../thread/state/live-answer.ts'
import type { HeardDelay } from '../thread/view/heard-delay.ts'
import { delayOf } from './delay-of.ts'

const asked = 100_000
const at = 101_000
const retry: AnswerDelay = { state: 'retrying', model: 'v3', reason: 'busy', attempt: 2, of: 3, waitMs: 8_000 }
const heardOf = (delay: AnswerDelay, more: Partial<HeardDelay> = {}): HeardDelay => ({
  ...{ chatId: 'chat', messageId: 'answer', delay, at },
  ...more,
})
const answer = (fields: Partial<LiveAnswer> = {}): LiveAnswer => ({ ...emptyAnswer('row', asked), ...fields })
const say = (delay: AnswerDelay, now: number) => delayOf(answer(), heardOf(delay), now)

describe('a delay', () => {
  it('is not shown unless reported', () => {
    expect(delayOf(answer(), null, at)).toBeNull()
  })

  it('caused by a provider’s requested wait is counted down, then replaced by the next try', () => {
    const busy = { text: 'thread.delay.busy', ofSeconds: 8 }
    const again = { text: 'thread.delay.again', attempt: 2, of: 3 }
    // The page's clock ticks once a second, so it may be behind the time of the event.
    const said = [at - 900, at, at + 1, at + 1_000, at + 7_999, at + 8_000, at + 60_000].map((now) => say(retry, now))
    expect(said).toEqual([...[8, 8, 8, 7, 1].map((seconds) => ({ ...busy, seconds })), ...[again, again]])
  })

  it('caused by a failure says that the provider does not respond', () => {
    expect(say({ ...retry, reason: 'failing' }, at)).toMatchObject({ text: 'thread.delay.failing', seconds: 8 })
  })

  it('caused by a short wait shows the next try immediately', () => {
    expect(say({ ...retry, attempt: 3, waitMs: 1_250 }, at)).toEqual({ text: 'thread.delay.again', attempt: 3, of: 3 })
  })

  it('caused by a fallback names both models', () => {
    const fallback = say({ state: 'falling-back', from: 'v3', model: 'reader' }, at)
    expect(fallback).toEqual({ text: 'thread.delay.fallback', asked: 'v3', model: 'reader' })
  })
})

describe('a reported delay', () => {
  const nextRound = { messageId: 'answer', lastSeq: 4 }
  it.each<[what: string, live: Partial<LiveAnswer>, heard: Partial<HeardDelay>, isSaid: boolean]>([
    ['before the answer has an id', { messageId: null }, {}, true],
    ['before the answer was asked for', { messageId: null }, { at: asked - 1 }, false],
    ['of this answer', { messageId: 'answer' }, {}, true],
    ['of another answer', { messageId: 'other' }, {}, false],
    [
      'of an answer that another window was shown later',
      { messageId: 'answer', startedAt: at + 5, heardAt: at + 5 },
      {},
      true,
    ],
    ['and before a piece of the answer', { ...nextRound, heardAt: at + 1 }, {}, false],
    ['after the tools of the answer have run', { ...nextRound, heardAt: at - 1 }, {}, true],
    ['of an answer that is being stopped', { stopping: true }, {}, false],
    ['while the connection is lost', { connection: 'reconnecting' }, {}, false],
  ])('is shown only when relevant: %s', (_what, live, heard, isSaid) => {
    expect(delayOf(answer(live), heardOf(retry, heard), at) !== null).toBe(isSaid)
  })

  it('is not shown after the answer has ended', () => {
    const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
    const outcome = { finishReason: 'stop', usage, credits: { charged: 1, remaining: 9 } } as const
    expect(delayOf(answer({ outcome }), heardOf(retry), at)).toBeNull()
  })
})
