import type { UserUsage } from '@parley/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { creditsQuery, userUsageQuery } from '../../../shared/api/index.ts'
import { formatCompact, formatDay } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { Box, Choice } from '../../../shared/ui/index.ts'
import { Page, Section } from '../page.tsx'
import type { ProfilePaths } from '../section-list.tsx'
import { ReceiptsSection } from './receipts-section.tsx'
import { DaysSection, ModelsSection } from './usage-sections.tsx'

const periods = ['7', '30', '90'] as const

/** `/profile/usage`: the signed-in user's usage by day and by model, and the cost of each answer. */
export function UsageTab({ paths }: { paths: ProfilePaths }) {
  const { t } = useText()
  const [period, setPeriod] = useState<(typeof periods)[number]>('30')
  const dates = useLastDays(Number(period))
  const from = dates[0] ?? ''
  const usage = useQuery({ ...userUsageQuery(from), placeholderData: keepPreviousData })
  return (
    <Page title={t('profile.tab.usage')} paths={paths} isReport>
      <Section
        title={t('usage.title')}
        lead={<CreditsLine />}
        aside={
          <Choice
            label={t('usage.period')}
            value={period}
            onChange={setPeriod}
            options={periods.map((name) => ({ name, text: t(`usage.period.${name}`) }))}
          />
        }
      >
        <Box className="">
          <Loaded query={usage} failed={t('usage.failed')} shape={['60%', '40%']} className="h-21 p-4 md:p-5">
            {(loaded) => <Totals usage={loaded} />}
          </Loaded>
        </Box>
      </Section>
      {usage.data && <DaysSection usage={usage.data} dates={dates} />}
      {usage.data && <ModelsSection usage={usage.data} from={from} />}
      {!usage.isPending && <ReceiptsSection from={from} />}
    </Page>
  )
}

/** The credits left this month. */
function CreditsLine() {
  const { t, locale } = useText()
  const { data } = useQuery(creditsQuery)
  if (!data) return '\u00a0'
  if (data.unlimited) return t('credits.meter.unlimited')
  return t('usage.left', { remaining: data.remaining, date: formatDay(data.resetDate, locale) })
}

function Totals({ usage: { models } }: { usage: UserUsage }) {
  const { t, locale } = useText()
  const number = numberFormat(locale)
  const sum = (value: (one: (typeof models)[number]) => number) => models.reduce((total, one) => total + value(one), 0)
  const tokens = formatCompact(
    sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    locale,
  )
  const figures = [
    [t('usage.column.credits'), number.format(sum(({ credits }) => credits))],
    [t('usage.column.requests'), number.format(sum(({ requests }) => requests))],
    [t('usage.tokens'), models.some(({ estimated }) => estimated) ? t('usage.about', { count: tokens }) : tokens],
  ] as const
  return (
    <dl className="grid grid-cols-3 divide-x divide-line">
      {figures.map(([label, value]) => (
        <div key={label} className="min-w-0 px-3 py-3 sm:px-4 md:px-5">
          <dt className="truncate text-sm text-ink-2">{label}</dt>
          <dd className="text-lg leading-tight font-semibold tracking-tight tabular-nums sm:text-xl md:text-2xl">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
