/** Milliseconds before an expiry in which it is shown as near. */
const soonMs = 7 * 24 * 60 * 60_000

/** The last moment of a day such as `2030-01-31` in the browser's time zone, as an ISO time. */
export const endOfDay = (date: string): string => new Date(`${date}T23:59:59.999`).toISOString()

/** The day of a moment in the browser's time zone, in the format of date fields: `2030-01-31`. */
export function localDate(at: Date): string {
  const part = (value: number) => String(value).padStart(2, '0')
  return `${String(at.getFullYear()).padStart(4, '0')}-${part(at.getMonth() + 1)}-${part(at.getDate())}`
}

/** The state of a key's expiry; `now` is in milliseconds. */
export function expiryOf(expiresAt: string | null, now: number): 'none' | 'far' | 'soon' | 'expired' {
  if (expiresAt === null) return 'none'
  const left = Date.parse(expiresAt) - now
  return left <= 0 ? 'expired' : left <= soonMs ? 'soon' : 'far'
}
