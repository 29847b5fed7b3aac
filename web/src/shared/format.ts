import { dateFormat, numberFormat } from './intl.ts'

/** A day: `4 December`, with the year if it is not the current one. */
export function formatDay(iso: string, locale: string, now: Date = new Date()): string {
  const date = new Date(iso)
  return dateFormat(locale, { day: 'numeric', month: 'long', ...yearOf(date, now) }).format(date)
}

/** A calendar day without a time zone, `2026-12-04`: `4 December`; empty for none. */
export const formatDate = (date: string, locale: string): string =>
  date === '' ? '' : formatDay(`${date}T12:00`, locale)

/** A date and time: `4 Dec, 14:05`, with the year if it is not the current one. */
export function formatMoment(iso: string, locale: string, now: Date = new Date()): string {
  const date = new Date(iso)
  return dateFormat(locale, {
    ...{ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
    ...yearOf(date, now),
  }).format(date)
}

const yearOf = (date: Date, now: Date): { readonly year?: 'numeric' } =>
  date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }

/** A number in compact notation: `950`, `12.4K`, and in German, which abbreviates only millions, `12.400`. */
export const formatCompact = (count: number, locale: string): string =>
  numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1, useGrouping: true }).format(count)

/**
 * An amount of money with two decimal places, up to `mostDigits` if it has more. A unit that is not an ISO currency, such as pence for shares (`GBp`),
 * follows the number: Intl would take it for the currency of which it is a hundredth.
 */
export function formatMoney(amount: number, unit: string, locale: string, mostDigits = 2): string {
  const isCurrency = /^[A-Z]{3}$/.test(unit)
  const style = isCurrency ? ({ style: 'currency', currency: unit } as const) : {}
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: mostDigits }
  const text = numberFormat(locale, { ...style, ...digits }).format(amount)
  if (!isCurrency) return `${text} ${unit}`
  // Between right-to-left words a sign after letters, as in `US$`, would move to their other side.
  return text.replace(/(?<=[A-Z])\$/, '$&\u200E')
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A share from 0 to 1 in whole per cent; a tiny share is not shown as zero: `12%`, `<1%`, `0%`. */
export function formatShare(share: number, locale: string): string {
  const percent = numberFormat(locale, { style: 'percent' })
  return share > 0 && share < 0.005 ? `<${percent.format(0.01)}` : percent.format(share)
}

/** A number of bytes in readable units: `203 bytes`, `412 kB`, `3.1 MB`, `1 GB`. */
export function formatBytes(bytes: number, locale: string): string {
  const power = [1_000, 999_500, 999_500_000].filter((from) => bytes >= from).length
  const value = bytes / 1_000 ** power
  return numberFormat(locale, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    // Arabic abbreviates megabytes, but not kilobytes.
    unitDisplay: power === 0 || locale.startsWith('ar') ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

/** A duration in milliseconds as seconds: `3.8`, without decimals from 10 s. */
export const formatSeconds = (ms: number, locale: string): string =>
  numberFormat(locale, { maximumFractionDigits: ms < 10_000 ? 1 : 0 }).format(ms / 1000)
