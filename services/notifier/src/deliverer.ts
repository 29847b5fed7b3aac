import { createWakeup, type Logger, retryWithBackoff } from '@parley/kit'
import type { Mail } from './mail/mail.ts'
import type { QueueWatch } from './queue-metrics.ts'
import { withoutAddresses } from './refusal.ts'
import type { SmtpMailer } from './smtp-mailer.ts'
import type { ClaimedDelivery, Delivery, DeliveryStore, Settled } from './store/delivery-store.ts'

/** Intervals and time-outs of delivery, in milliseconds. */
export interface DeliveryPace {
  /** Polling interval of the queue without a nudge. */
  readonly lookMs: number
  /** Backoff after the first failure; doubles up to `mostRetryMs`. */
  readonly firstRetryMs: number
  readonly mostRetryMs: number
  /** Age of the event after which no attempt starts. */
  readonly giveUpMs: number
  /** Time-out of one mail, even if the server keeps the connection busy. */
  readonly sendMs: number
  /** Grace period of mails in flight when the service stops; then they are aborted and retried later. */
  readonly stopMs: number
}
/** The pace in production. */
export const usualPace: DeliveryPace = {
  lookMs: 2_000,
  firstRetryMs: 5_000,
  mostRetryMs: 600_000,
  giveUpMs: 24 * 3_600_000,
  sendMs: 60_000,
  stopMs: 10_000,
}
/** Concurrent mails, so that a slow server does not block the others. */
const atOnce = 3
const sweepEveryMs = 3_600_000
/** The longest pause before the outcome of a mail is stored again: shorter than the interval at which another replica may claim the mail. */
const settleRetryMs = 1_000

export interface DelivererDeps {
  readonly deliveries: Pick<DeliveryStore, 'claim' | 'settle' | 'drop' | 'postpone' | 'sweep'>
  /** Undefined when there is no recipient any more. */
  readonly compose: (delivery: Delivery) => Promise<Mail | undefined>
  readonly mailer: Omit<SmtpMailer, 'verify'>
  readonly log: Logger
  readonly pace: DeliveryPace
  readonly watch: Pick<QueueWatch, 'settled' | 'look'>
}
type Attempting = DelivererDeps & { readonly halt: AbortSignal }

/** Sends queued mails from `start` until `stop`. Safe on several replicas. */
export function createDeliverer(deps: DelivererDeps) {
  const { deliveries, log, pace } = deps
  const wakeup = createWakeup()
  const halting = new AbortController()
  const attempting = { ...deps, halt: halting.signal }
  /** Attempts by the id of the event, until their outcome is stored. */
  const atHand = new Map<string, Promise<void>>()
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let sweptAt = 0
  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepEveryMs) return
    sweptAt = performance.now()
    await deliveries.sweep()
  }
  const begin = (delivery: ClaimedDelivery): void => {
    const work = attempt(attempting, delivery).finally(() => {
      atHand.delete(delivery.eventId)
      wakeup.wake()
    })
    atHand.set(delivery.eventId, work)
  }
  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        const free = atOnce - atHand.size
        const claimed = free > 0 ? await deliveries.claim(free, [...atHand.keys()]) : []
        for (const delivery of claimed) begin(delivery)
        if (claimed.length > 0) continue
        await deps.watch.look(performance.now())
        await sweep()
      } catch (error) {
        log.error({ err: error }, 'the mail queue could not be read; retrying later')
      }
      if (!stopped) await wakeup.wait(pace.lookMs)
    }
    await Promise.all(atHand.values())
  }
  return {
    start(): void {
      running = run()
    },
    /** Reads the queue now, because a mail may have been queued. */
    nudge: wakeup.wake,
    async stop(): Promise<void> {
      stopped = true
      wakeup.wake()
      const cut = setTimeout(() => halting.abort(new Error('the service stops')), pace.stopMs)
      await running
      clearTimeout(cut)
    },
  }
}

/** Never rejects. */
async function attempt(deps: Attempting, delivery: ClaimedDelivery): Promise<void> {
  try {
    await tryOnce(deps, delivery)
  } catch (error) {
    await postpone(deps, delivery, error).catch((failure: unknown) => {
      deps.log.error(
        { err: failure },
        'the outcome of a mail could not be stored; it is retried when its claim expires',
      )
    })
  }
}

async function tryOnce({ deliveries, log, ...deps }: Attempting, delivery: ClaimedDelivery): Promise<void> {
  const { eventId, kind } = delivery
  const mail = await deps.compose(delivery)
  if (mail === undefined) {
    await deliveries.drop(eventId)
    log.info({ eventId, kind }, 'a mail was dropped: it has no recipient any more')
    deps.watch.settled(delivery, 'dropped')
    return
  }
  const signal = AbortSignal.any([AbortSignal.timeout(deps.pace.sendMs), deps.halt])
  const { refused } = await deps.mailer.send(mail, signal)
  if (refused !== undefined) log.warn({ eventId, kind, refused }, 'the SMTP server refused a mail permanently')
  const settled: Settled =
    refused === undefined ? { outcome: 'sent' } : { outcome: 'failed', error: refused, refusal: refused }
  // A delivered mail must not be sent again because the store is unavailable, so retry until its outcome is stored.
  const act = () => deliveries.settle(delivery, settled)
  const what = 'storing the outcome of a mail'
  const isKept = await retryWithBackoff({ what, act, mostDelayMs: settleRetryMs, log, signal: deps.halt })
  if (isKept) deps.watch.settled(delivery, settled.outcome)
}

async function postpone({ deliveries, log, pace, watch }: Attempting, delivery: ClaimedDelivery, error: unknown) {
  const { eventId, kind, attempts, ageSeconds } = delivery
  const why = withoutAddresses(error instanceof Error ? error.message : String(error))
  const delayMs = Math.min(pace.firstRetryMs * 2 ** (attempts - 1), pace.mostRetryMs)
  if (ageSeconds * 1000 + delayMs > pace.giveUpMs) {
    log.error({ reason: why, eventId, kind, attempts }, 'a mail could not be sent before its deadline')
    await deliveries.settle(delivery, { outcome: 'failed', error: why, refusal: null })
    watch.settled(delivery, 'failed')
    return
  }
  log.warn({ reason: why, eventId, kind, attempts, delayMs }, 'sending a mail failed; retrying later')
  await deliveries.postpone(delivery, delayMs, why)
}
