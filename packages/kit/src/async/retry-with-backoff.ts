import { reasonOf } from '../errors/reason-of.ts'
import type { Logger } from '../observability/log.ts'
import { pause } from './wakeup.ts'
import { withTimeout } from './with-timeout.ts'

/** Between two tries, in milliseconds: doubles up to the most. */
const delayMs = { first: 250, most: 5_000 }
/** The same reason is said again after this long. */
const repeatMs = 60_000

/** The work to retry until it succeeds. */
export interface Attempt {
  /** Names it in the log. */
  readonly what: string
  readonly act: () => Promise<unknown>
  /** The time-out of one attempt; none by default. */
  readonly limitMs?: number
  /** Called with the reason of every failure. */
  readonly failed?: (reason: string) => void
  readonly log: Logger
  readonly signal: AbortSignal
}

/**
 * Tries again and again, with back-off, until it succeeds or `signal` aborts. Why it fails is logged when that changes and once a minute.
 * @returns whether it succeeded
 */
export async function retryWithBackoff({ what, act, limitMs, failed, log, signal }: Attempt): Promise<boolean> {
  const said = { reason: '', at: 0 }
  for (let delay = delayMs.first; !signal.aborted; delay = Math.min(delay * 2, delayMs.most)) {
    try {
      await (limitMs === undefined ? act() : withTimeout(limitMs, act()))
      if (said.reason !== '') log.info({ what }, 'succeeded at last')
      return true
    } catch (error) {
      const reason = reasonOf(error)
      failed?.(reason)
      const now = performance.now()
      if (reason !== said.reason || now - said.at > repeatMs) {
        log.warn({ what, reason }, 'not available yet; retrying')
        Object.assign(said, { reason, at: now })
      }
    }
    await pause(delay, signal)
  }
  return false
}
