import { expect, it } from 'vitest'
import { createPacketLimit } from './packet-limit.ts'

it('packets are limited to a burst, which time refills but never enlarges', () => {
  let now = 0
  const isAllowed = createPacketLimit({ burst: 3, perSecond: 2 }, () => now)
  const allowed = (packets: number) => Array.from({ length: packets }, isAllowed).filter(Boolean).length
  expect(allowed(3)).toBe(3)
  now += 1_000
  expect(allowed(2)).toBe(2)
  now += 3_600_000
  expect(allowed(5)).toBe(3)
})
