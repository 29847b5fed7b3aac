import { expect, it } from 'vitest'
import { type Failure, pauseBeforeRepeat, type RetryPolicy } from './retry-policy.ts'

const policy = (parts: Partial<RetryPolicy> = {}): RetryPolicy => ({
  body: Buffer.alloc(0),
  repeatable: 'until-answered',
  repeats: 0,
  outgoing: undefined,
  late: false,
  ...parts,
})

it.each<[Failure, RetryPolicy['repeatable'], boolean]>([
  ['refused', 'until-answered', true],
  ['refused', 'until-sent', true],
  ['refused', 'never', false],
  ['reset', 'until-answered', true],
  ['reset', 'until-sent', false],
  ['leaving', 'until-answered', true],
  ['leaving', 'until-sent', false],
])('after %s a request that may be sent again %s is sent again: %s', (failure, repeatable, again) => {
  expect(pauseBeforeRepeat(policy({ repeatable }), failure) !== undefined).toBe(again)
})

it('a request is not retried at a service that was silent for too long', () => {
  expect(pauseBeforeRepeat(policy({ late: true }), 'reset')).toBeUndefined()
})

it('a retry waits longer each time, about two seconds in all, and a broken request is retried only once', () => {
  const pauses = [0, 1, 2, 3, 4, 5].map((repeats) => pauseBeforeRepeat(policy({ repeats }), 'leaving'))
  expect(pauses).toEqual([0, 100, 300, 600, 1_000, undefined])
  expect(pauseBeforeRepeat(policy({ repeats: 1 }), 'reset')).toBeUndefined()
})
