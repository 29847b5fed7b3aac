import type { Health, Model, MoneyAlarm } from '@parley/contracts'

/** A problem that needs an admin's attention. */
export type Warning =
  | { readonly kind: 'service'; readonly service: string; readonly failed: readonly string[] }
  | { readonly kind: 'breaker'; readonly provider: Model['provider']; readonly model: string }
  | { readonly kind: 'dead-letters'; readonly group: string; readonly count: number }
  | { readonly kind: 'mail'; readonly waiting: number; readonly oldestAt: string }
  | { readonly kind: 'drift'; readonly date: string }

/** Mail that waits longer, in milliseconds, is reported; a busy mail server takes it sooner. */
const mailPatienceMs = 15 * 60_000

/** The warnings about services at a time (milliseconds), the most severe first. */
export function healthWarnings({ services, breakers, deadLetters }: Health, now: number): Warning[] {
  return [
    ...services
      .filter(({ ready }) => !ready)
      .map(({ name, failed }): Warning => ({ kind: 'service', service: name, failed })),
    ...breakers
      .filter(({ state }) => state !== 'closed')
      .map(({ provider, model }): Warning => ({ kind: 'breaker', provider, model })),
    ...deadLetters.map(({ group, count }): Warning => ({ kind: 'dead-letters', group, count })),
    ...services.flatMap(({ mailQueue }): Warning[] => {
      const oldestAt = mailQueue?.oldestAt
      if (!mailQueue || !oldestAt || now - Date.parse(oldestAt) < mailPatienceMs) return []
      return [{ kind: 'mail', waiting: mailQueue.waiting, oldestAt }]
    }),
  ]
}

/** A warning for each day on which the daily check found the books to differ, latest first. */
export const moneyWarnings = (alarms: readonly MoneyAlarm[]): Warning[] =>
  [...new Set(alarms.map(({ date }) => date))]
    .sort((a, b) => b.localeCompare(a))
    .map((date) => ({ kind: 'drift', date }))
