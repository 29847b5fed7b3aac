import type { DataExport } from '@parley/contracts'

/** The states of a data copy as shown to the user. */
export type ExportStep = 'none' | 'collecting' | 'ready' | 'failed' | 'expired'

/** The state of a copy; a link that expired while the page was open counts as expired. */
export function stepOf(last: DataExport | null, now: number): ExportStep {
  if (last === null) return 'none'
  const over = last.state === 'ready' && last.expiresAt !== null && Date.parse(last.expiresAt) <= now
  return over ? 'expired' : last.state
}

const minute = 60_000
const hour = 60 * minute
/** Units with their lengths, and the amount from which each is used; rounding up by a day matters while there are few. */
const units = [
  { unit: 'day', size: 24 * hour, from: 48 * hour },
  { unit: 'hour', size: hour, from: hour },
  { unit: 'minute', size: minute, from: 0 },
] as const

/** The time until a moment in minutes, in hours up to 48, then in days, rounded up: `in 23 hours`. Null when it has passed. */
export function timeLeft(until: string | null, now: number, locale: string): string | null {
  const left = until === null ? 0 : Date.parse(until) - now
  const found = units.find(({ from }) => left > from)
  return found ? new Intl.RelativeTimeFormat(locale).format(Math.ceil(left / found.size), found.unit) : null
}
