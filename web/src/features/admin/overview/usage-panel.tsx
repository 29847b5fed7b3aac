import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { request } from '../../../shared/api/index.ts'
import { formatDate, formatSeconds } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { fillDays } from '../../../shared/plot/days.ts'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { Box, Choice } from '../../../shared/ui/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { Panel } from '../frame/page.tsx'
import { ChartPlaceholder, DayChart } from '../parts/day-chart.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { AdminTable, type Column } from '../table/admin-table.tsx'
import { CsvButton } from '../table/list-bar.tsx'

const drawnDays = 30
const shapes = ['credits', 'requests', 'tokens', 'errors', 'table'] as const
type Shape = (typeof shapes)[number]

const loadUsage = (by: 'day' | 'model', from: string, signal: AbortSignal) =>
  request(calls.usage, { query: { by, from, limit: 200 }, signal })
type UsageItem = Awaited<ReturnType<typeof loadUsage>>['items'][number]

const usageQuery = (by: 'day' | 'model', from: string) =>
  adminQuery(['usage', by, from], async (signal) => (await loadUsage(by, from, signal)).items)

const shownValue = (item: UsageItem, shape: Exclude<Shape, 'table'>): number =>
  shape === 'tokens' ? item.inputTokens + item.outputTokens : item[shape]

/** Of the requests or credits, those of programs with an API key. */
const byApi = (item: UsageItem, shape: 'requests' | 'credits'): number =>
  (shape === 'requests' ? item.keyRequests : item.keyCredits) ?? 0

/** The usage of all users in the last 30 days by day, as a chart or a table, and by model. */
export function UsagePanel() {
  const { t, locale } = useText()
  const dates = useLastDays(drawnDays)
  const from = dates[0] ?? ''
  const days = useQuery(usageQuery('day', from))
  const models = useQuery(usageQuery('model', from))
  const [shape, setShape] = useState<Shape>('credits')
  const columns = useUsageColumns()
  const table = { rowId: ({ id }: UsageItem) => id, empty: t('overview.noUsage') }
  return (
    <>
      <Panel
        title={t('overview.usage')}
        lead={t('overview.utc')}
        aside={
          <div className="flex flex-wrap gap-2">
            <Choice
              label={t('overview.shape')}
              value={shape}
              onChange={setShape}
              options={shapes.map((name) => ({ name, text: t(`overview.shape.${name}`) }))}
            />
            <CsvButton call={calls.usage} query={{ by: 'day', from }} name={`usage-by-day-${from}`} />
          </div>
        }
      >
        <Loaded query={days} failed={t('overview.usageFailed')} placeholder={<ChartPlaceholder />}>
          {(items) =>
            shape === 'table' ? (
              <AdminTable
                {...table}
                caption={t('overview.usage')}
                columns={[
                  { id: 'id', label: t('overview.column.day'), cell: ({ id }) => formatDate(id, locale) },
                  ...columns,
                ]}
                rows={items.toReversed()}
              />
            ) : (
              <Box>
                <DrawnDays items={items} dates={dates} shape={shape} />
              </Box>
            )
          }
        </Loaded>
      </Panel>
      <Panel title={t('overview.models')}>
        <Loaded query={models} failed={t('overview.usageFailed')}>
          {(items) => (
            <AdminTable
              {...table}
              caption={t('overview.models')}
              columns={[{ id: 'id', label: t('overview.column.model'), cell: ({ id }) => <bdi>{id}</bdi> }, ...columns]}
              rows={items}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

interface DrawnProps {
  readonly items: readonly UsageItem[]
  readonly dates: readonly string[]
  readonly shape: Exclude<Shape, 'table'>
}

function DrawnDays({ items, dates, shape }: DrawnProps) {
  const { t } = useText()
  const label = t(`overview.shape.${shape}`)
  const [web, api] = [t('overview.source.web'), t('overview.source.api')]
  const series = useMemo(() => {
    const days = items.map((item) => ({ ...item, date: item.id }))
    const valuesOf = (read: (item: UsageItem) => number) => fillDays(days, dates, read)
    if (shape === 'tokens' || shape === 'errors')
      return [{ label, values: valuesOf((item) => shownValue(item, shape)) }]
    return [
      { label: web, values: valuesOf((item) => item[shape] - byApi(item, shape)) },
      { label: api, values: valuesOf((item) => byApi(item, shape)) },
    ]
  }, [items, dates, shape, label, web, api])
  return <DayChart label={t('overview.drawn', { what: label })} dates={dates} series={series} />
}

function useUsageColumns(): readonly Column<UsageItem>[] {
  const { t, locale } = useText()
  return [
    { id: 'requests', label: t('overview.shape.requests'), end: true, cell: ({ requests }) => requests },
    {
      id: 'keyRequests',
      label: t('overview.column.byApi', { what: t('overview.shape.requests') }),
      end: true,
      wideOnly: true,
      cell: (item) => byApi(item, 'requests'),
    },
    { id: 'credits', label: t('overview.shape.credits'), end: true, cell: ({ credits }) => credits },
    {
      id: 'keyCredits',
      label: t('overview.column.byApi', { what: t('overview.shape.credits') }),
      end: true,
      wideOnly: true,
      cell: (item) => byApi(item, 'credits'),
    },
    { id: 'tokens', label: t('overview.shape.tokens'), end: true, cell: (item) => shownValue(item, 'tokens') },
    { id: 'errors', label: t('overview.shape.errors'), end: true, cell: ({ errors }) => errors },
    {
      id: 'average',
      label: t('overview.column.average'),
      end: true,
      wideOnly: true,
      cell: ({ averageResponseMs }) =>
        averageResponseMs > 0 ? t('overview.seconds', { value: formatSeconds(averageResponseMs, locale) }) : '–',
    },
  ]
}
