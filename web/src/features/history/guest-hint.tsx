import { useQuery } from '@tanstack/react-query'
import { guestInfoQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { classNames, Link } from '../../shared/ui/index.ts'

/** The hint that guests see instead of the list of chats. */
export function GuestHint() {
  const { t } = useText()
  const { data: allowance } = useQuery(guestInfoQuery)
  // A used-up allowance invites to sign in beside the composer; a screen has one main button.
  const isSecond = allowance != null && allowance.remainingMessages <= 0
  return (
    <div className="mx-2.5 mt-3 rounded-card border border-line px-3.5 py-3.5">
      <p className="mb-3 text-sm text-ink-2">{t('history.guest')}</p>
      <div className="flex flex-col gap-2">
        <Link
          to="/login"
          className={classNames(
            'target grid h-9 place-items-center rounded-card font-semibold',
            isSecond ? 'border border-line-strong hover:bg-hover' : 'bg-brand text-on-brand hover:brightness-105',
          )}
        >
          {t('shared.signIn')}
        </Link>
        <Link
          to="/register"
          className="target grid h-9 place-items-center rounded-card border border-line-strong font-medium hover:bg-hover"
        >
          {t('history.guestRegister')}
        </Link>
      </div>
    </div>
  )
}
