import { reasonOf } from '../errors/reason-of.ts'
import type { Logger } from '../observability/log.ts'
import { pause } from './wakeup.ts'
import { withTimeout } from './with-timeout.ts'

/** Between two tries, in milliseconds: doubles up to the most. */
const usualDelayMs = { first: 250, most: 5_000 }
/** The same reason is said again after this long. */
const repeatMs = 60_000

export interface Attempt {
  /** Names it in the log. */
  readonly what: string
  readonly act: () => Promise<unknown>
  /** The time-out of one attempt; none by default. */
  readonly limitMs?: number
  /** The longest pause between two attempts, in milliseconds; 5 s by default. */
  readonly mostDelayMs?: number
  /** Called with the reason of every failure. */
  readonly failed?: (reason: string) => void
  readonly log: Logger
  readonly signal: AbortSignal
}

/**
 * Tries again and again, with back-off, until it succeeds or `signal` aborts. Why it fails is logged when that changes and once a minute.
 * @returns whether it succeeded
 */
export async function retryWithBackoff(attempt: Attempt): Promise<boolean> {
  const { what, act, limitMs, mostDelayMs: most = usualDelayMs.most, failed, log, signal } = attempt
  const said = { reason: '', at: 0 }
  for (let delay = Math.min(usualDelayMs.first, most); !signal.aborted; delay = Math.min(delay * 2, most)) {
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
