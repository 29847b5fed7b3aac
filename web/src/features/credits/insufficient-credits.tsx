import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { creditsQuery } from '../../shared/api/index.ts'
import { formatDay } from '../../shared/format.ts'
import { gapAfter, T, useText } from '../../shared/i18n/index.ts'
import { TextLink } from '../../shared/ui/index.ts'

/** Says that a message was not sent for lack of credits, when new ones arrive, and what to do until then. */
export function InsufficientCredits({ usagePath }: { usagePath: string }) {
  const { t, locale } = useText()
  const { data } = useQuery(creditsQuery)
  const left = data
    ? t('credits.empty.text', { remaining: data.remaining, date: formatDay(data.resetDate, locale) })
    : t('credits.empty.unknown')
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-line bg-raised px-4 py-3">
      <CircleAlert className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <div>
        <p className="font-semibold">{t('credits.empty.title')}</p>
        <p className="text-sm text-ink-2">
          {left}
          {gapAfter(left)}
          <T id="credits.empty.hint" components={{ link: <TextLink to={usagePath} /> }} />
        </p>
      </div>
    </div>
  )
}
