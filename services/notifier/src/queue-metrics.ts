import type { Logger, Registry } from '@parley/kit'
import { Counter, Gauge } from 'prom-client'
import type { Delivery, QueueState } from './store/delivery-store.ts'

/** From these on the queue is said to be in trouble. */
const trouble = { queued: 1_000, oldestSeconds: 900 }
/** Counted up to this many, so that looking stays cheap however long the queue is. */
const countedUpTo = 10_000
const lookEveryMs = 10_000
const repeatWarningMs = 600_000

/** What operators see of the mails; see `createQueueWatch`. */
export type QueueWatch = ReturnType<typeof createQueueWatch>

export interface QueueWatchDeps {
  readonly waiting: (most: number) => Promise<QueueState>
  readonly metrics: Registry
  readonly log: Logger
}

/** Figures of the queue for /metrics, and an error in the log, every ten minutes at most, while it is long or old. */
export function createQueueWatch({ waiting, metrics, log }: QueueWatchDeps) {
  const registers = [metrics]
  const queued = new Gauge({ name: 'notifier_mails_queued', help: 'Mails that wait, counted up to 10,000', registers })
  const oldest = new Gauge({
    name: 'notifier_oldest_mail_seconds',
    help: 'Age of the mail that waits longest; 0 when none does',
    registers,
  })
  const settled = new Counter({
    name: 'notifier_mails_settled_total',
    help: 'Mails that were sent, failed for good, or had nobody to tell any more',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  let lookedAt = Number.NEGATIVE_INFINITY
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    settled({ kind }: Pick<Delivery, 'kind'>, outcome: 'sent' | 'failed' | 'dropped'): void {
      settled.inc({ kind, outcome })
    },
    /** As it stands now, counted up to 10,000. */
    async queue(): Promise<{ waiting: number; oldestAt: string | null }> {
      const { queued: mails, oldestSeconds } = await waiting(countedUpTo)
      const oldestAt = mails === 0 ? null : new Date(Date.now() - oldestSeconds * 1_000).toISOString()
      return { waiting: mails, oldestAt }
    },
    /** Looks, at most every ten seconds. @param nowMs of a clock that only goes on */
    async look(nowMs: number): Promise<void> {
      if (nowMs - lookedAt < lookEveryMs) return
      lookedAt = nowMs
      const state = await waiting(countedUpTo)
      queued.set(state.queued)
      oldest.set(state.oldestSeconds)
      if (!isTrouble(state)) warnedAt = Number.NEGATIVE_INFINITY
      else if (nowMs - warnedAt >= repeatWarningMs) {
        warnedAt = nowMs
        log.error(state, 'mails wait for long: look at the SMTP server and at auth')
      }
    },
  }
}

const isTrouble = ({ queued, oldestSeconds }: QueueState): boolean =>
  queued >= trouble.queued || oldestSeconds >= trouble.oldestSeconds
