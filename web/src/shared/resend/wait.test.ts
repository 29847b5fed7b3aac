import { expect, it } from 'vitest'
import { secondsUntilResend, sentAtOf } from './wait.ts'

it('the wait for another mail is a minute, whatever the clock does', () => {
  expect(secondsUntilResend(1_000_000, 1_000_000)).toBe(60)
  expect(secondsUntilResend(1_000_000, 1_000_001 + 59_000)).toBe(1)
  expect(secondsUntilResend(1_000_000, 1_060_000)).toBe(0)
  expect(secondsUntilResend(9_000_000, 1_000_000)).toBe(60)
})

it('the wait for another mail is the server’s if it refused to send one', () => {
  expect(secondsUntilResend(sentAtOf(12, 1_000_000), 1_000_000)).toBe(12)
})
