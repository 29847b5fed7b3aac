import { expect, it } from 'vitest'
import { refusedBy } from './preview.ts'

const asked = (...minutes: readonly (readonly [minute: number, count: number])[]) => ({
  ...{ subject: 'user:ann', kind: 'sending', times: 1 },
  minutes: minutes.map(([minute, count]) => ({ minute, count })),
})

it('a limit refuses requests over it in a window that starts with its first request', () => {
  const requests = asked([10, 3], [14, 2], [15, 4])
  expect(refusedBy(requests, { windowMinutes: 5, maxRequests: 4 })).toBe(1)
  expect(refusedBy(requests, { windowMinutes: 6, maxRequests: 4 })).toBe(5)
  expect(refusedBy(requests, { windowMinutes: 1, maxRequests: 4 })).toBe(0)
})

it('a limit applies as many times as the subject may use it', () => {
  const requests = { ...asked([10, 100]), times: 20 }
  expect(refusedBy(requests, { windowMinutes: 1, maxRequests: 4 })).toBe(20)
  expect(refusedBy(asked(), { windowMinutes: 1, maxRequests: 4 })).toBe(0)
})
