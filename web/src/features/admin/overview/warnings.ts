import type { Health, MailQueue, Model, MoneyAlarm } from '@parley/contracts'
import { isEnding } from '../data/certificates.ts'

/** A problem that needs an admin's attention. */
export type Warning =
  | { readonly kind: 'service'; readonly service: string; readonly failed: readonly string[] }
  | { readonly kind: 'breaker'; readonly provider: Model['provider']; readonly model: string }
  | { readonly kind: 'dead-letters'; readonly group: string; readonly count: number }
  | { readonly kind: 'mail'; readonly waiting: number; readonly oldestAt: string; readonly reason: string | null }
  | { readonly kind: 'mail-refused'; readonly failed: number; readonly reason: string | null }
  | { readonly kind: 'certificate'; readonly server: string; readonly endsAt: string }
  | { readonly kind: 'drift'; readonly date: string }

/** Mail that waits longer, in milliseconds, is reported; a busy mail server takes it sooner. */
const mailPatienceMs = 15 * 60_000

/** From this share of failed mails on, of those of a day: below it are addresses that users mistyped. */
const failedShare = 0.1
/** The warnings about services at a time (milliseconds), the most severe first. */
export function healthWarnings({ services, breakers, deadLetters, certificates }: Health, now: number): Warning[] {
  return [
    ...services
      .filter(({ ready }) => !ready)
      .map(({ name, failed }): Warning => ({ kind: 'service', service: name, failed })),
    ...breakers
      .filter(({ state }) => state !== 'closed')
      .map(({ provider, model }): Warning => ({ kind: 'breaker', provider, model })),
    ...deadLetters.map(({ group, count }): Warning => ({ kind: 'dead-letters', group, count })),
    ...services.flatMap(({ mailQueue }) => (mailQueue ? mailWarnings(mailQueue, now) : [])),
    ...certificates
      .filter((certificate) => isEnding(certificate, now))
      .map(({ server, endsAt }): Warning => ({ kind: 'certificate', server, endsAt })),
  ]
}

function mailWarnings({ waiting, oldestAt, reason = null, settled }: MailQueue, now: number): Warning[] {
  const isLate = oldestAt !== null && now - Date.parse(oldestAt) >= mailPatienceMs
  const areRefused =
    settled !== undefined && settled.failed > 0 && settled.failed >= (settled.sent + settled.failed) * failedShare
  return [
    ...(isLate ? [{ kind: 'mail', waiting, oldestAt, reason } as const] : []),
    ...(areRefused ? [{ kind: 'mail-refused', failed: settled.failed, reason: settled.reason } as const] : []),
  ]
}

/** A warning for each day on which the daily check found the books to differ, latest first. */
export const moneyWarnings = (alarms: readonly MoneyAlarm[]): Warning[] =>
  [...new Set(alarms.map(({ date }) => date))]
    .sort((a, b) => b.localeCompare(a))
    .map((date) => ({ kind: 'drift', date }))
