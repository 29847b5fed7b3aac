import { expect, it } from 'vitest'
import { createLogger } from '../observability/log.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'

const log = createLogger('test', 'silent')
const { signal } = new AbortController()

it('a retry waits no longer than the given maximum, after any number of failures', async () => {
  let failures = 0
  const act = async (): Promise<void> => {
    // With the usual pauses these failures would last for minutes.
    if (failures++ < 200) throw new Error('away')
  }
  expect(await retryWithBackoff({ what: 'a test', act, mostDelayMs: 1, log, signal })).toBe(true)
})

it('a retry ends without success when its signal aborts', async () => {
  const stop = new AbortController()
  const act = async (): Promise<void> => {
    stop.abort()
    throw new Error('away')
  }
  expect(await retryWithBackoff({ what: 'a test', act, log, signal: stop.signal })).toBe(false)
})
