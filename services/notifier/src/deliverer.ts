import { createAlarm, type Logger } from '@parley/kit'
import type { Mail } from './mail/mail.ts'
import type { SmtpMailer } from './smtp-mailer.ts'
import type { ClaimedDelivery, Delivery, DeliveryStore } from './store/delivery-store.ts'

/** Milliseconds. */
export interface DeliveryPace {
  /** Between two looks at the queue when nobody says that there is something. */
  readonly lookMs: number
  /** After the first failure; doubles with each one up to `mostRetryMs`. */
  readonly firstRetryMs: number
  readonly mostRetryMs: number
  /** No attempt begins later than this after the event. */
  readonly giveUpMs: number
}
/** The product's own pace. */
export const usualPace: DeliveryPace = {
  lookMs: 2_000,
  firstRetryMs: 5_000,
  mostRetryMs: 600_000,
  giveUpMs: 24 * 3_600_000,
}
const batch = 3
const sweepEveryMs = 3_600_000

/** What delivering uses. */
export interface DelivererDeps {
  readonly deliveries: DeliveryStore
  /** Undefined when there is nothing to tell any more. */
  readonly compose: (delivery: Delivery) => Promise<Mail | undefined>
  readonly mailer: SmtpMailer
  readonly log: Logger
  readonly pace: DeliveryPace
}

/** Sends what is queued, from `start` until `stop`. Several replicas may do so at once. */
export function createDeliverer(deps: DelivererDeps) {
  const { deliveries, log, pace } = deps
  const alarm = createAlarm()
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let sweptAt = 0
  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepEveryMs) return
    sweptAt = performance.now()
    await deliveries.sweep()
  }
  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        const claimed = await deliveries.claim(batch)
        await Promise.all(claimed.map((delivery) => attempt(deps, delivery)))
        if (claimed.length > 0) continue
        await sweep()
      } catch (error) {
        log.error({ err: error }, 'the queue of mails cannot be read; the next look tries again')
      }
      if (!stopped) await alarm.wait(pace.lookMs)
    }
  }
  return {
    start(): void {
      running = run()
    },
    /** There may be something new. */
    nudge: alarm.ring,
    async stop(): Promise<void> {
      stopped = true
      alarm.ring()
      await running
    },
  }
}

async function attempt(deps: DelivererDeps, delivery: ClaimedDelivery): Promise<void> {
  const { deliveries, log } = deps
  const { eventId, kind } = delivery
  try {
    const mail = await deps.compose(delivery)
    if (mail === undefined) {
      await deliveries.finish(eventId, 'failed', 'there is nothing to tell any more')
      return
    }
    const { refused } = await deps.mailer.send(mail)
    if (refused !== undefined) log.warn({ eventId, kind }, 'the SMTP server refused a mail for good')
    await deliveries.finish(eventId, refused === undefined ? 'sent' : 'failed', refused)
  } catch (error) {
    await postpone(deps, delivery, error)
  }
}

async function postpone({ deliveries, log, pace }: DelivererDeps, delivery: ClaimedDelivery, error: unknown) {
  const { eventId, kind, attempts, ageSeconds } = delivery
  const why = error instanceof Error ? error.message : String(error)
  const delayMs = Math.min(pace.firstRetryMs * 2 ** (attempts - 1), pace.mostRetryMs)
  if (ageSeconds * 1000 + delayMs > pace.giveUpMs) {
    log.error({ err: error, eventId, kind, attempts }, 'a mail could not be sent in time')
    await deliveries.finish(eventId, 'failed', why)
    return
  }
  log.warn({ err: error, eventId, kind, attempts, delayMs }, 'a mail is tried again later')
  await deliveries.postpone(eventId, delayMs, why)
}
