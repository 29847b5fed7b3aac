import { useQuery } from '@tanstack/react-query'
import { creditsQuery } from '../../shared/api/index.ts'
import { formatDay } from '../../shared/format.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { classNames } from '../../shared/ui/index.ts'
import { meterOf } from './meter.ts'

/** The credits left this month, with the price of one answer of the selected model (null when unknown). Renders nothing for guests. */
export function CreditMeter({ price }: { price: number | null }) {
  const { t, locale } = useText()
  const signedIn = useSession((state) => state.token !== null)
  const { data } = useQuery({ ...creditsQuery, enabled: signedIn })
  if (!signedIn || !data) return null
  const meter = meterOf(data)
  if (meter.type === 'unlimited')
    return <span className="truncate text-2xs text-ink-3">{t('credits.meter.unlimited')}</span>
  const left = t('credits.meter.left', { remaining: meter.remaining, total: meter.total })
  return (
    <span
      title={[
        t('credits.meter.reset', { date: formatDay(data.resetDate, locale) }),
        ...(meter.granted > 0 ? [t('credits.meter.granted', { count: meter.granted })] : []),
      ].join(' ')}
      className="flex min-w-0 items-center gap-2 text-2xs text-ink-3 tabular-nums"
    >
      <span
        aria-hidden="true"
        className="hidden h-1 w-13.5 shrink-0 overflow-hidden rounded-full bg-line-strong lg:block"
      >
        <span
          className={classNames('block h-full', meter.low ? 'bg-warn' : 'bg-brand')}
          style={{ width: `${Math.round(meter.share * 100)}%` }}
        />
      </span>
      {/* If both do not fit into one line, the first is hidden; the account shows it as well. */}
      <span
        className={classNames(
          'flex h-[1.125rem] min-w-0 flex-wrap-reverse content-end justify-end gap-x-1 overflow-hidden',
          meter.low && 'text-warn',
        )}
      >
        <span className="whitespace-nowrap">{price === null ? left : `${left} ·`}</span>
        {price !== null && (
          <>
            <span className="max-w-full truncate max-sm:hidden">{t('credits.meter.price', { count: price })}</span>
            <span className="max-w-full truncate sm:hidden">{t('models.picker.price', { count: price })}</span>
          </>
        )}
      </span>
    </span>
  )
}
