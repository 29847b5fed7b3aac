import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { shareOf } from './share-of.ts'

/** Decisions on suggestions as one bar with a legend. */
export function Decisions({ seen, approved, rejected }: { seen: number; approved: number; rejected: number }) {
  const { t, locale } = useText()
  const number = numberFormat(locale)
  const parts = [
    { name: 'approved', count: approved, color: 'bg-brand' },
    { name: 'rejected', count: rejected, color: 'bg-second' },
    { name: 'open', count: Math.max(0, seen - approved - rejected), color: 'bg-line-strong' },
  ] as const
  return (
    <div>
      <p className="mb-1.5 flex justify-between gap-3 text-sm">
        <span className="text-ink-2">{t('memory.learning.seen')}</span>
        <span className="font-medium tabular-nums">{number.format(seen)}</span>
      </p>
      <div aria-hidden="true" className="flex h-2 overflow-hidden rounded-full bg-active">
        {parts.map(({ name, count, color }) => (
          <span key={name} className={color} style={{ width: shareOf(count, seen) }} />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-2xs text-ink-2">
        {parts.map(({ name, count, color }) => (
          <li key={name} className="flex items-center gap-1.5 tabular-nums">
            <span aria-hidden="true" className={`size-2 rounded-full ${color}`} />
            {t(`memory.learning.${name}`, { count })}
          </li>
        ))}
      </ul>
    </div>
  )
}
