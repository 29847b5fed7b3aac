import type { Translate } from '../../../shared/i18n/index.ts'
import type { Failure } from '../thread/state/failure.ts'

/** The text of a failure: the server's own, or ours. */
export const failureText = (t: Translate, { text }: Failure): string =>
  text.type === 'server' ? text.text : t(text.id, text.values)

/** Whether a failed answer was charged; `credits` is the amount if known. */
export function chargeText(t: Translate, { charge }: Failure, credits: number | null, guest: boolean): string {
  if (charge === 'none') return t(guest ? 'chat.failure.charge.guestNone' : 'chat.failure.charge.none')
  if (guest) return ''
  return credits === null ? t('chat.failure.charge.text') : t('chat.failure.charge.credits', { count: credits })
}
