import { expect, it } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

function given() {
  const clock = { ms: 0 }
  const breaker = createCircuitBreaker(
    { failures: 3, restMs: 5_000 },
    () => clock.ms,
    () => new Date(1_000_000 + clock.ms),
  )
  const fail = (model: string, times: number): void => {
    for (let failure = 0; failure < times; failure += 1) breaker.note(model, false)
  }
  return { clock, breaker, fail }
}

it('a circuit breaker opens for a model after too many consecutive failures, and for no other model', () => {
  const { breaker, fail } = given()
  fail('sick', 2)
  expect(breaker.admits('sick')).toBe(true)
  fail('sick', 1)
  expect([breaker.admits('sick'), breaker.admits('well')]).toEqual([false, true])
})

it('a circuit breaker resets its count on an answer', () => {
  const { breaker, fail } = given()
  fail('sick', 2)
  breaker.note('sick', true)
  fail('sick', 2)
  expect(breaker.admits('sick')).toBe(true)
})

it('a circuit breaker admits one probe after the rest, and closes when that is answered', () => {
  const { clock, breaker, fail } = given()
  fail('sick', 3)
  clock.ms = 4_999
  expect(breaker.admits('sick')).toBe(false)
  clock.ms = 5_000
  expect([breaker.admits('sick'), breaker.admits('sick')]).toEqual([true, false])
  breaker.note('sick', false)
  clock.ms = 9_999
  expect(breaker.admits('sick')).toBe(false)
  clock.ms = 10_000
  expect(breaker.admits('sick')).toBe(true)
  breaker.note('sick', true)
  expect([breaker.admits('sick'), breaker.admits('sick')]).toEqual([true, true])
})

it('a circuit breaker lists open models with the time, and those ready for a probe', () => {
  const { clock, breaker, fail } = given()
  fail('sick', 3)
  fail('failing', 2)
  expect([...breaker.states()]).toEqual([['sick', { state: 'open', since: new Date(1_000_000) }]])
  clock.ms = 5_000
  const halfOpen = [['sick', { state: 'half-open', since: new Date(1_005_000) }]]
  expect([...breaker.states()]).toEqual(halfOpen)
  breaker.admits('sick')
  expect([...breaker.states()]).toEqual(halfOpen)
  breaker.note('sick', true)
  expect([...breaker.states()]).toEqual([])
})

it('a circuit breaker says whether it refuses calls, without admitting the probe', () => {
  const { clock, breaker, fail } = given()
  fail('sick', 3)
  expect([breaker.refuses('sick'), breaker.refuses('well')]).toEqual([true, false])
  clock.ms = 5_000
  expect([breaker.refuses('sick'), breaker.refuses('sick'), breaker.admits('sick')]).toEqual([false, false, true])
  expect(breaker.refuses('sick')).toBe(true)
})

it('a circuit breaker admits another probe when the last one has no outcome', () => {
  const { clock, breaker, fail } = given()
  fail('sick', 3)
  clock.ms = 5_000
  expect(breaker.admits('sick')).toBe(true)
  clock.ms = 10_000
  expect(breaker.admits('sick')).toBe(true)
})
