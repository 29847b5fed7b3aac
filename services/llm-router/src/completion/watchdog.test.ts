import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ProviderFailure } from './failure.ts'
import { createWatchdog } from './watchdog.ts'

let failures: ProviderFailure[]
beforeEach(() => {
  vi.useFakeTimers()
  failures = []
})
afterEach(() => {
  vi.useRealTimers()
})

const given = () => createWatchdog((failure) => failures.push(failure))

it('the watchdog fires once, naming the wait that took too long', () => {
  const watchdog = given()
  watchdog.watch(50, 'first')
  vi.advanceTimersByTime(40)
  watchdog.rest()
  watchdog.watch(50, 'second')
  vi.advanceTimersByTime(40)
  expect(failures).toEqual([])
  vi.advanceTimersByTime(10)
  expect(failures.map(({ reason }) => reason)).toEqual(['second'])
  vi.advanceTimersByTime(200)
  expect(failures).toHaveLength(1)
})

it('the watchdog fires for a shorter wait after a longer one', () => {
  const watchdog = given()
  watchdog.watch(1_000, 'idle')
  watchdog.rest()
  watchdog.watch(30, 'figures')
  vi.advanceTimersByTime(30)
  expect(failures.map(({ reason }) => reason)).toEqual(['figures'])
})

it('the watchdog does not fire while it rests, and resumes after a rest of any length', () => {
  const watchdog = given()
  watchdog.watch(50, 'first')
  watchdog.rest()
  vi.advanceTimersByTime(500)
  expect(failures).toEqual([])
  watchdog.watch(50, 'second')
  vi.advanceTimersByTime(50)
  expect(failures).toHaveLength(1)
})

it('the watchdog leaves no timer behind', () => {
  const watchdog = given()
  watchdog.watch(50, 'first')
  watchdog.end()
  expect(vi.getTimerCount()).toBe(0)
})
