import type { Certificate } from '@parley/contracts'

/**
 * How long before its end a certificate is reported: three weeks, or the last quarter of a short life. Tools that renew certificates do so a third
 * of their life before, so they have missed it by then.
 */
const renewal = { ms: 21 * 86_400_000, share: 0.25 }

/** Whether a certificate should have been renewed at a time (milliseconds), or has ended. */
export function isEnding({ startsAt, endsAt }: Pick<Certificate, 'startsAt' | 'endsAt'>, now: number): boolean {
  const end = Date.parse(endsAt)
  return end - now < Math.min(renewal.ms, (end - Date.parse(startsAt)) * renewal.share)
}
