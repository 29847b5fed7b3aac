import { keyWindowOf, limitsOfKey } from '@parley/contracts'
import { describe, expect, it } from 'vitest'

describe('the limits of an API key', () => {
  const base = { maxRequests: 60, windowMinutes: 2 }
  it.each([
    [1, 60],
    [2, 120],
    [3, 300],
    [4, 600],
  ] as const)('of tier %d are the base limit times its multiplier: %d requests', (tier, requests) => {
    expect(limitsOfKey({ tier, customLimits: null }, base)).toEqual({ requests, windowMinutes: 2 })
  })

  it('of tier 5 are its own, whatever the base limit', () => {
    const customLimits = { requests: 10, windowMinutes: 1440 }
    expect(limitsOfKey({ tier: 5, customLimits }, base)).toEqual(customLimits)
  })

  it('are counted in windows with the same name and length everywhere', () => {
    expect(keyWindowOf('k1', { requests: 10, windowMinutes: 2 })).toEqual({
      key: 'key:k1',
      limit: { points: 10, windowMs: 120_000 },
    })
  })
})
