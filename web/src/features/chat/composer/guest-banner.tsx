import type { GuestSession } from '@parley/contracts'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Link } from '../../../shared/ui/index.ts'

interface Props {
  readonly guest: GuestSession
  /** A message was refused because the allowance is used up. */
  readonly refused: boolean
  readonly signInHref: string
  readonly registerHref: string
}

/** A guest's remaining allowance and its reset time; once it is used up, an invitation to sign in. */
export function GuestBanner({ guest, refused, signInHref, registerHref }: Props) {
  const { t, locale } = useText()
  const { remainingMessages, messageLimit, nextResetDate } = guest
  const date = formatMoment(nextResetDate, locale)
  if (refused || remainingMessages <= 0) {
    return (
      <div
        role="alert"
        className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-warn-weak px-4 py-3"
      >
        <div className="min-w-0 flex-1 basis-72">
          <p className="font-medium">{t('chat.guest.used')}</p>
          <p className="mt-0.5 text-sm text-ink-2">{t('chat.guest.usedHint', { date })}</p>
        </div>
        <div className="flex items-center gap-4">
          <Link to={registerHref} className="target text-sm font-medium text-ink-2 hover:text-ink">
            {t('chat.guest.register')}
          </Link>
          <Link
            to={signInHref}
            className="target rounded-card bg-brand px-4 py-2 font-semibold text-on-brand hover:brightness-105"
          >
            {t('shared.signIn')}
          </Link>
        </div>
      </div>
    )
  }
  return (
    <p className="mb-2 flex flex-wrap items-center justify-center gap-x-2 text-center text-2xs text-ink-2 tabular-nums">
      <span className={remainingMessages <= 1 ? 'font-medium text-warn' : undefined}>
        {t('chat.guest.left', { count: remainingMessages, limit: messageLimit })}
      </span>
      <span>{t('chat.guest.reset', { date })}</span>
      <Link to={signInHref} title={t('chat.guest.why')} className="target font-medium text-brand hover:underline">
        {t('shared.signIn')}
      </Link>
    </p>
  )
}
