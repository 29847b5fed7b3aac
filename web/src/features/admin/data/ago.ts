import { kept } from '../../../shared/intl.ts'

const relativeFormat = kept(
  (locale, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)

const units = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

/** How long ago a time was, in the largest whole unit: `12 seconds ago`. Both times are milliseconds. */
export function agoText(at: number, now: number, locale: string): string {
  const age = Math.max(0, now - at)
  const [unit, ms] = units.findLast(([, size]) => age >= size) ?? units[0]
  return relativeFormat(locale, { numeric: 'auto' }).format(-Math.floor(age / ms), unit)
}
