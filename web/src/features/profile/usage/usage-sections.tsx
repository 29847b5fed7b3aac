import type { UserUsage } from '@parley/contracts'
import { useMemo, useState } from 'react'
import { formatDate } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { DayPlot, type PlotSeries } from '../../../shared/plot/day-plot.tsx'
import { fillDays } from '../../../shared/plot/days.ts'
import { Box, Choice } from '../../../shared/ui/index.ts'
import { type Column, CsvButton, DataTable } from '../data-table.tsx'
import { Section } from '../page.tsx'
import { useModelNames } from '../use-model-names.ts'

type Day = UserUsage['days'][number]
type Shape = 'credits' | 'tokens' | 'table'

function useCounts<Row extends Day | UserUsage['models'][number]>(): Column<Row>[] {
  const { t } = useText()
  return [
    { label: t('usage.column.requests'), value: ({ requests }) => requests },
    { label: t('usage.column.input'), value: ({ inputTokens }) => inputTokens },
    { label: t('usage.column.output'), value: ({ outputTokens }) => outputTokens },
    { label: t('usage.column.credits'), value: ({ credits }) => credits },
  ]
}

/** Credits or tokens by day, as a plot or a table. */
export function DaysSection({ usage: { days }, dates }: { usage: UserUsage; dates: readonly string[] }) {
  const { t, locale } = useText()
  const [shape, setShape] = useState<Shape>('credits')
  const counts = useCounts<Day>()
  const columns: Column<Day>[] = [
    { label: t('usage.column.day'), value: ({ date }) => date, shown: ({ date }) => formatDate(date, locale) },
    ...counts,
  ]
  const series = useMemo((): PlotSeries[] => {
    const by = (label: string, value: (day: Day) => number) => ({ label, values: fillDays(days, dates, value) })
    return shape === 'tokens'
      ? [
          by(t('usage.column.input'), ({ inputTokens }) => inputTokens),
          by(t('usage.column.output'), ({ outputTokens }) => outputTokens),
        ]
      : [by(t('usage.column.credits'), ({ credits }) => credits)]
  }, [days, dates, shape, t])
  const period = { from: formatDate(dates[0] ?? '', locale), to: formatDate(dates.at(-1) ?? '', locale) }
  return (
    <Section
      title={t('usage.days')}
      lead={t('usage.utc')}
      aside={
        <div className="flex flex-wrap justify-end gap-2">
          <Choice
            label={t('usage.shape')}
            value={shape}
            onChange={setShape}
            options={(['credits', 'tokens', 'table'] as const).map((name) => ({
              name,
              text: t(`usage.shape.${name}`),
            }))}
          />
          <CsvButton name={`usage-by-day-${dates[0]}`} label={t('usage.csvDays')} columns={columns} rows={days} />
        </div>
      }
    >
      {shape === 'table' ? (
        <DataTable
          caption={t('usage.daysTable')}
          columns={columns}
          rows={[...days].reverse()}
          rowKey={({ date }) => date}
          empty={t('usage.none')}
        />
      ) : (
        <Box>
          {days.length === 0 ? (
            <p className="text-ink-2">{t('usage.none')}</p>
          ) : (
            <DayPlot label={t(`usage.plot.${shape}`, period)} dates={dates} series={series} />
          )}
        </Box>
      )}
    </Section>
  )
}

export function ModelsSection({ usage: { models }, from }: { usage: UserUsage; from: string }) {
  const { t } = useText()
  const nameOf = useModelNames()
  const counts = useCounts<UserUsage['models'][number]>()
  const columns = [
    { label: t('usage.column.model'), value: ({ model }: UserUsage['models'][number]) => nameOf(model) },
    ...counts,
  ]
  const rows = [...models].sort((a, b) => b.credits - a.credits || b.requests - a.requests)
  return (
    <Section
      title={t('usage.models')}
      aside={<CsvButton name={`usage-by-model-${from}`} label={t('usage.csvModels')} columns={columns} rows={rows} />}
    >
      <DataTable
        caption={t('usage.modelsTable')}
        columns={columns}
        rows={rows}
        rowKey={({ model }) => model}
        empty={t('usage.none')}
      />
    </Section>
  )
}
