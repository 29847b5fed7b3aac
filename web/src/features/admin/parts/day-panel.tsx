import { type ReactNode, useMemo, useState } from 'react'
import { formatDate } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PlotSeries } from '../../../shared/plot/day-plot.tsx'
import { Box, Choice } from '../../../shared/ui/index.ts'
import { Panel } from '../frame/page.tsx'
import { AdminTable } from '../table/admin-table.tsx'
import { ChartPlaceholder, DayChart } from './day-chart.tsx'
import { Loaded, type LoadState } from './loaded.tsx'

interface Props<Data> {
  readonly title: string
  readonly lead?: ReactNode
  /** Label of the chart; by default the title. */
  readonly drawn?: string
  readonly query: LoadState<Data>
  readonly failed: string
  /** Days such as `2030-01-31`, oldest first. */
  readonly dates: readonly string[]
  /** The series to draw, with a value for each of the dates. Must be a stable function. */
  readonly seriesOf: (data: Data) => readonly PlotSeries[]
  /** Shown above the chart or table; of nothing, a placeholder of the same height. */
  readonly summary?: (data: Data | undefined) => ReactNode
}

const shapes = ['chart', 'table'] as const

/** Values by day, as a chart or a table. */
export function DayPanel<Data>({ title, lead, drawn = title, query, failed, dates, seriesOf, summary }: Props<Data>) {
  const { t, locale } = useText()
  const [shape, setShape] = useState<(typeof shapes)[number]>('chart')
  const { data } = query
  const series = useMemo(() => (data === undefined ? [] : seriesOf(data)), [data, seriesOf])
  return (
    <Panel
      title={title}
      lead={lead}
      aside={
        <Choice
          label={t('overview.shape')}
          value={shape}
          onChange={setShape}
          options={shapes.map((name) => ({ name, text: t(`overview.shape.${name}`) }))}
        />
      }
    >
      <Loaded
        query={query}
        failed={failed}
        placeholder={
          <div className="flex flex-col gap-4">
            {summary?.(undefined)}
            <ChartPlaceholder />
          </div>
        }
      >
        {(loaded) => (
          <div className="flex flex-col gap-4">
            {summary?.(loaded)}
            {shape === 'chart' ? (
              <Box>
                <DayChart label={t('overview.drawn', { what: drawn })} dates={dates} series={series} />
              </Box>
            ) : (
              <AdminTable
                caption={title}
                columns={[
                  { id: 'day', label: t('overview.column.day'), cell: (date) => formatDate(date, locale) },
                  ...series.map(({ label, values }) => ({
                    id: label,
                    label,
                    end: true,
                    cell: (date: string) => values[dates.indexOf(date)] ?? '–',
                  })),
                ]}
                rows={dates.toReversed()}
                rowId={(date) => date}
                empty={t('overview.noUsage')}
              />
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}
