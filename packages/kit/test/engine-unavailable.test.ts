import { expect, it } from 'vitest'
import { isEngineUnavailable } from '../src/engine-unavailable.ts'

it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'timeout expired'])(
  "PostgreSQL's driver says “%s” of a server that is unavailable",
  (message) => {
    expect(isEngineUnavailable(new Error(message))).toBe(true)
  },
)

it('an error of our own code is not taken for an unavailable engine', () => {
  expect(isEngineUnavailable(new Error('a timeout expired'))).toBe(false)
})
