import { describe, expect, it } from 'vitest'
import { given, now } from '../../test/given-account.ts'
import { decideHold } from './hold.ts'
import { countRequest } from './window.ts'

const before = (ms: number): Date => new Date(now.getTime() - ms)
const plan = { requestsPerWindow: 30, windowMs: 60_000 }
const counted = (windowStart: Date | null, windowCount: number) => countRequest({ windowStart, windowCount }, plan, now)

describe('a request in the window of the user’s plan', () => {
  it.each([
    ['the first of all', null, 0],
    ['one at the very end of a full window', before(60_000), 30],
    ['one long after a window', before(1_000_000), 7],
    ['one before a window, by a clock that was set back', new Date(now.getTime() + 1), 30],
  ])('%s begins a window', (_what, start, count) => {
    expect(counted(start, count)).toEqual({ counted: { windowStart: now, windowCount: 1 }, full: undefined })
  })

  it('is counted while the window has room', () => {
    const start = before(59_999)
    expect(counted(start, 29)).toEqual({ counted: { windowStart: start, windowCount: 30 }, full: undefined })
  })

  it.each([30, 31, 500])('after %i others is refused with the start of the next window', (count) => {
    const start = before(45_000)
    const full = { limit: 30, resetMs: 15_000 }
    expect(counted(start, count)).toEqual({ counted: { windowStart: start, windowCount: count + 1 }, full })
  })
})

describe('a hold in a window', () => {
  const request = { generationId: 'answer', userId: 'ann', amount: 40, unlimited: false }
  const full = { windowStart: before(45_000), windowCount: 30 }

  it('with room is counted', () => {
    const decision = decideHold(given({ windowStart: before(1_000), windowCount: 29 }), request, 50_000)
    expect(decision).toMatchObject({ outcome: { outcome: 'held' }, account: { windowCount: 30, monthly: 60 } })
  })

  it('that is full is refused, and nothing changes', () => {
    const found = given(full)
    const decision = decideHold(found, request, 50_000)
    expect(decision.outcome).toEqual({ outcome: 'limited', remaining: 100, window: { limit: 30, resetMs: 15_000 } })
    expect(decision).toMatchObject({ account: found.account, entries: [], events: [] })
    expect(decision.hold).toBeUndefined()
  })

  it('that is full is counted and made for an admin', () => {
    const decision = decideHold(given(full), { ...request, unlimited: true }, 50_000)
    expect(decision).toMatchObject({ outcome: { outcome: 'held' }, account: { windowCount: 31, monthly: 100 } })
  })

  it('is counted once when it is repeated, even if the window is full meanwhile', () => {
    const decision = decideHold(given(full, {}), request, 50_000)
    expect(decision).toMatchObject({ outcome: { outcome: 'held' }, account: full, entries: [] })
  })

  it('without remaining credits is refused for those, and not counted', () => {
    const decision = decideHold(given({ ...full, monthly: 10 }), request, 50_000)
    expect(decision).toMatchObject({ outcome: { outcome: 'insufficient', remaining: 10 }, account: full })
  })

  it('is measured by the account’s current plan', () => {
    const decision = decideHold(given({ ...full, planId: 'plus' }), request, 50_000)
    expect(decision).toMatchObject({ outcome: { outcome: 'held' }, account: { windowCount: 31 } })
  })
})
