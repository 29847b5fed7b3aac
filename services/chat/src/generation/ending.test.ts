import { describe, expect, it } from 'vitest'
import type { NewGeneration, Progress } from '../store/entities.ts'
import { type Cause, decideEnding, hasVisibleText, mayBeRetried } from './ending.ts'

const createdAt = new Date('2030-01-01T00:00:00Z')
const now = new Date('2030-01-01T00:00:03Z')
const usage = { inputTokens: 1, outputTokens: 2, estimated: false }
const failed: Cause = { kind: 'failed', error: 'Broken', code: 'provider_error' }

const end = (cause: Cause, content: string, guest: NewGeneration['guest'] = null) => {
  const progress: Progress = {
    content,
    reasoning: '',
    events: [],
    search: null,
    attachments: [],
    frames: [],
    model: 'm',
    price: 3,
    opening: [],
    promptTokens: 8,
    reasoningMs: 0,
  }
  return decideEnding(cause, { createdAt, guest, price: 5 }, progress, { now, heldRemaining: 10 })
}

describe('the charging rule', () => {
  it.each<[string, Cause]>([
    ['that is complete', { kind: 'ended', finishReason: 'stop', usage }],
    ['that was stopped', { kind: 'stopped', reason: 'user' }],
    ['of a banned user', { kind: 'stopped', reason: 'banned' }],
    ['that failed', failed],
    ['that was lost', { kind: 'lost' }],
  ])('an answer %s costs its price with a visible character and nothing without', (_what, cause) => {
    expect(end(cause, ' x').credits).toEqual({ charged: 3, remaining: 12 })
    expect(end(cause, ' \n\u200b').credits).toEqual({ charged: 0, remaining: 15 })
  })

  it('a guest is charged no credits', () => {
    expect(end(failed, 'x', { sessionId: 's', network: 'n' }).credits.charged).toBe(0)
  })

  it.each([
    ['', false],
    [' \t\n\u00a0\u200b\u2060', false],
    ['.', true],
    ['\u200b😀', true],
  ])('%j is visible: %s', (text, visible) => {
    expect(hasVisibleText(text)).toBe(visible)
  })
})

describe('the ending', () => {
  it('of a stopped answer is complete, with an estimated usage', () => {
    expect(end({ kind: 'stopped', reason: 'user' }, 'abcdefgh')).toMatchObject({
      outcome: 'stopped',
      finishReason: 'stopped',
      failure: null,
      usage: { inputTokens: 8, outputTokens: 2, estimated: true },
      durationMs: 3000,
    })
  })

  it('by a failure is interrupted with text and an error without', () => {
    expect(end(failed, 'x')).toMatchObject({ outcome: 'interrupted', failure: { code: 'provider_error' } })
    expect(end(failed, '')).toMatchObject({ outcome: 'error', failure: { error: 'Broken' } })
    expect(end({ kind: 'stopped', reason: 'banned' }, 'x').failure?.code).toBe('account_banned')
    expect(end({ kind: 'lost' }, '')).toMatchObject({ outcome: 'interrupted', failure: { code: 'unavailable' } })
  })
})

it('a send may be tried again if its answer failed without a visible character, and not if it ended otherwise', () => {
  const failure = { error: 'Broken', code: 'provider_error' }
  const retried = (content: string, ending: object | null) =>
    mayBeRetried({ content, ending } as Parameters<typeof mayBeRetried>[0])
  expect(retried(' \n', { failure })).toBe(true)
  expect(retried('Some', { failure })).toBe(false)
  expect(retried('Some', { failure, unchanged: 'complete' })).toBe(true)
  expect([retried('', { failure: null }), retried('', null)]).toEqual([false, false])
})
