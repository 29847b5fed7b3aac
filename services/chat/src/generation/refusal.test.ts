import { describe, expect, it } from 'vitest'
import { decideEnding } from './ending.ts'
import { refusalOf } from './refusal.ts'

const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T00:00:20Z')
const generation = { createdAt: now, guest: null, price: 1, frames: [] }
const progress = {
  content: '',
  reasoning: '',
  events: [],
  search: null,
  attachments: [],
  model: 'v3',
  price: 1,
  frames: [],
}
const failed = (code: string, limit?: { limit: number; seconds: number }) =>
  decideEnding(
    { kind: 'failed', error: 'No', code, limit },
    generation,
    { ...progress, opening: [], reasoningMs: 0, promptTokens: 0 },
    { now },
  )

describe('the refusal of an answer that failed', () => {
  it('because of a limit has the limit and the remaining wait, also later', () => {
    const ending = failed('rate_limited', { limit: 5, seconds: 60 })
    expect(refusalOf(ending, later)).toMatchObject({
      status: 429,
      message: 'No',
      headers: { 'retry-after': '40', 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': '40' },
    })
    expect(refusalOf(ending, new Date('2027-01-01'))?.headers).toMatchObject({ 'retry-after': '1' })
  })

  it('for another reason has no limit', () => {
    expect(refusalOf(failed('provider_error'), later)).toMatchObject({ code: 'provider_error', headers: {} })
    expect(refusalOf(failed('unavailable'), later)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  })

  it('is a failure of the provider when its code is unknown, and none when it did not fail', () => {
    expect(refusalOf(failed('of-a-later-version'), later)?.code).toBe('provider_error')
    expect(refusalOf({ failure: null }, later)).toBeUndefined()
  })
})
