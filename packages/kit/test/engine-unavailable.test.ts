import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { isEngineUnavailable } from '../src/errors/engine-unavailable.ts'

it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'timeout expired'])(
  'PostgreSQL’s driver reports “%s” for an unavailable server',
  (message) => {
    expect(isEngineUnavailable(new Error(message))).toBe(true)
  },
)

it('a Unix socket that is gone counts as an unavailable engine, a missing file does not', async () => {
  const [gone] = await once(connect('/missing.sock'), 'error')
  expect(isEngineUnavailable(gone)).toBe(true)
  expect(isEngineUnavailable(await readFile('/missing').catch((error) => error))).toBe(false)
})

it('an error of our own code does not count as an unavailable engine', () => {
  expect(isEngineUnavailable(new Error('a timeout expired'))).toBe(false)
})
