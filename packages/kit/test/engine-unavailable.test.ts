import { expect, it } from 'vitest'
import { isEngineUnavailable } from '../src/engine-unavailable.ts'

it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'timeout expired'])(
  'PostgreSQL’s driver reports “%s” for an unavailable server',
  (message) => {
    expect(isEngineUnavailable(new Error(message))).toBe(true)
  },
)

it('an error of our own code does not count as an unavailable engine', () => {
  expect(isEngineUnavailable(new Error('a timeout expired'))).toBe(false)
})
