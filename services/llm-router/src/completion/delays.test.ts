import { describe, expect, it } from 'vitest'
import { delayByRetry } from './delays.ts'
import { brokenOff, readFailure, timedOut } from './failure.ts'

const model = { id: 'main' }
const refusedBy = (status: number) => readFailure(Object.assign(new Error('What the provider said'), { status }))

describe('the delay of a retry', () => {
  it.each([
    ['too many requests', refusedBy(429), 'busy'],
    ['unavailable for now', refusedBy(503), 'busy'],
    ['overloaded', refusedBy(529), 'busy'],
    ['an internal error', refusedBy(500), 'failing'],
    ['a connection that broke', readFailure(new Error('ECONNRESET at 10.0.0.1')), 'failing'],
    ['an answer that ended early', brokenOff(), 'failing'],
    ['a connection that took too long', timedOut('connect'), 'failing'],
  ] as const)('after %s has nothing but its reason of the failure', (_what, failure, reason) => {
    expect(delayByRetry(model, failure, { retry: 0, retries: 2, waitMs: 6_000.4 })).toEqual({
      ...{ state: 'retrying', model: 'main', reason },
      ...{ attempt: 2, of: 3, waitMs: 6_000 },
    })
  })

  it('counts the first call as an attempt', () => {
    const attempts = [0, 1].map((retry) => delayByRetry(model, brokenOff(), { retry, retries: 2, waitMs: 0 }))
    expect(attempts).toMatchObject([
      { attempt: 2, of: 3 },
      { attempt: 3, of: 3 },
    ])
  })
})
