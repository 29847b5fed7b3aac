import { expect, it } from 'vitest'
import { isEngineAway } from '../src/engine-away.ts'

it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'timeout expired'])(
  "PostgreSQL's driver says “%s” of a server that is unavailable",
  (message) => {
    expect(isEngineAway(new Error(message))).toBe(true)
  },
)

it('an error of our own is no unavailable engine', () => {
  expect(isEngineAway(new Error('a timeout expired'))).toBe(false)
})
