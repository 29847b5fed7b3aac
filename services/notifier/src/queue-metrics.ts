import type { MailQueue } from '@parley/contracts'
import type { Logger, Registry } from '@parley/kit'
import { Counter, Gauge } from 'prom-client'
import type { Delivery, DeliveryStore, QueueState } from './store/delivery-store.ts'

/** Thresholds from which the queue is reported. */
const trouble = { queued: 1_000, oldestSeconds: 900 }
/** Counting stops here to stay cheap for any length of the queue. */
const countedUpTo = 10_000
const lookEveryMs = 10_000
const repeatWarningMs = 600_000

export type QueueWatch = ReturnType<typeof createQueueWatch>

export interface QueueWatchDeps {
  readonly deliveries: Pick<DeliveryStore, 'waiting' | 'settled'>
  readonly metrics: Registry
  readonly log: Logger
}

/** Metrics of the queue, and an error in the log, at most every ten minutes, while the queue is long or a mail is old. */
export function createQueueWatch({ deliveries, metrics, log }: QueueWatchDeps) {
  const registers = [metrics]
  const queued = new Gauge({ name: 'notifier_mails_queued', help: 'Queued mails, counted up to 10,000', registers })
  const oldest = new Gauge({
    name: 'notifier_oldest_mail_seconds',
    help: 'Age of the oldest queued mail; 0 for an empty queue',
    registers,
  })
  const settled = new Counter({
    name: 'notifier_mails_settled_total',
    help: 'Mails that were sent, failed for good, or were dropped for lack of a recipient',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  let lookedAt = Number.NEGATIVE_INFINITY
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    settled({ kind }: Pick<Delivery, 'kind'>, outcome: 'sent' | 'failed' | 'dropped'): void {
      settled.inc({ kind, outcome })
    },
    /** The current queue, and what became of the mails of the last 24 hours, each counted up to 10,000. */
    async queue(): Promise<MailQueue> {
      const [state, settled] = await Promise.all([deliveries.waiting(countedUpTo), deliveries.settled(countedUpTo)])
      const { queued: waiting, oldestSeconds, reason } = state
      const oldestAt = waiting === 0 ? null : new Date(Date.now() - oldestSeconds * 1_000).toISOString()
      return { waiting, oldestAt, reason, settled }
    },
    /** Reads the queue, at most every ten seconds. @param nowMs a monotonic clock */
    async look(nowMs: number): Promise<void> {
      if (nowMs - lookedAt < lookEveryMs) return
      lookedAt = nowMs
      const state = await deliveries.waiting(countedUpTo)
      queued.set(state.queued)
      oldest.set(state.oldestSeconds)
      if (!isTrouble(state)) warnedAt = Number.NEGATIVE_INFINITY
      else if (nowMs - warnedAt >= repeatWarningMs) {
        warnedAt = nowMs
        log.error(state, 'mails are delayed: check the SMTP server and auth')
      }
    },
  }
}

const isTrouble = ({ queued, oldestSeconds }: QueueState): boolean =>
  queued >= trouble.queued || oldestSeconds >= trouble.oldestSeconds
