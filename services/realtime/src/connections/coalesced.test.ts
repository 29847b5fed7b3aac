import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalesced } from './coalesced.ts'

describe('a coalesced action', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is done at once, and for all requests of the pause together at its end', () => {
    const act = vi.fn()
    const action = coalesced(act, 1_000)
    for (let requests = 0; requests < 50; requests += 1) action.request()
    expect(act).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1_000)
    expect(act).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(10_000)
    expect(act).toHaveBeenCalledTimes(2)
    action.request()
    expect(act).toHaveBeenCalledTimes(3)
  })

  it('is not done after its stop', () => {
    const act = vi.fn()
    const action = coalesced(act, 1_000)
    action.request()
    action.request()
    action.stop()
    vi.advanceTimersByTime(10_000)
    expect(act).toHaveBeenCalledTimes(1)
  })
})
