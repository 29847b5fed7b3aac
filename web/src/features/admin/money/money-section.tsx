import type { MoneyAlarm, MoneyDay } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { request } from '../../../shared/api/index.ts'
import { formatDate } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { Box, Choice } from '../../../shared/ui/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { useUrlState } from '../data/use-url-state.ts'
import { Page, Panel } from '../frame/page.tsx'
import { DayChart } from '../parts/day-chart.tsx'
import { Figures } from '../parts/figures.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { RowBox } from '../parts/row-box.tsx'
import { AdminTable, type Column } from '../table/admin-table.tsx'
import { formatCost, totalsOf } from './money-days.ts'

const periods = ['7', '30', '90', '365'] as const
const shapes = ['credits', 'cost', 'table'] as const

const moneyQuery = (query: { from: string | undefined; to: string | undefined }) =>
  adminQuery(['money', query], (signal) => request(calls.money, { query, signal }))

const oneOf = <Name extends string>(names: readonly Name[], value: string, usual: Name): Name =>
  names.find((name) => name === value) ?? usual

/** `/admin/money`: credits sold, spent and recorded, provider costs, and differences between the books. */
export function MoneySection() {
  const { t } = useText()
  const [state, setState] = useUrlState(['days', 'shape'] as const)
  const period = oneOf(periods, state.days, '30')
  const shape = oneOf(shapes, state.shape, 'credits')
  const dates = useLastDays(Number(period))
  const query = { from: dates[0], to: dates.at(-1) }
  const money = useQuery(moneyQuery(query))
  return (
    <Page
      title={t('admin.section.money')}
      actions={
        <Choice
          label={t('money.period')}
          value={period}
          onChange={(days) => setState({ days })}
          options={periods.map((name) => ({ name, text: t('money.days', { count: Number(name) }) }))}
        />
      }
    >
      <Loaded query={money} failed={t('money.failed')} shape={['100%', '100%', '100%']}>
        {({ days, alarms }) => (
          <div className="flex flex-col gap-7">
            <Totals days={days} />
            <Panel
              title={t('money.byDay')}
              lead={t('money.utc')}
              aside={
                <Choice
                  label={t('money.shape')}
                  value={shape}
                  onChange={(name) => setState({ shape: name })}
                  options={shapes.map((name) => ({ name, text: t(`money.shape.${name}`) }))}
                />
              }
            >
              {shape === 'table' ? <DayTable days={days} /> : <Drawn days={days} shape={shape} />}
            </Panel>
            <Alarms alarms={alarms} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Totals({ days }: { days: readonly MoneyDay[] }) {
  const { t, locale } = useText()
  const { sold, spent, recorded, providerCost, drift } = totalsOf(days)
  return (
    <Figures
      figures={[
        { label: t('money.sold'), value: sold, note: t('money.soldNote') },
        { label: t('money.spent'), value: spent },
        { label: t('money.recorded'), value: recorded, note: t('money.driftNote', { drift }) },
        { label: t('money.cost'), value: formatCost(providerCost, locale) },
      ]}
    />
  )
}

function Drawn({ days, shape }: { days: readonly MoneyDay[]; shape: 'credits' | 'cost' }) {
  const { t } = useText()
  const dates = useMemo(() => days.map(({ date }) => date), [days])
  const series = useMemo(
    () =>
      shape === 'cost'
        ? [{ label: t('money.costDollars'), values: days.map(({ providerCost }) => providerCost / 1_000_000) }]
        : [
            { label: t('money.spent'), values: days.map(({ spent }) => spent) },
            { label: t('money.sold'), values: days.map(({ sold }) => sold) },
          ],
    [days, shape, t],
  )
  return (
    <Box>
      <DayChart label={t('money.plot')} dates={dates} series={series} />
    </Box>
  )
}

function DayTable({ days }: { days: readonly MoneyDay[] }) {
  const { t, locale } = useText()
  const credits = (id: 'sold' | 'spent' | 'recorded' | 'drift'): Column<MoneyDay> => ({
    ...{ id, label: t(`money.${id}`), end: true },
    cell: (day) => day[id],
  })
  return (
    <AdminTable
      caption={t('money.table')}
      columns={[
        { id: 'date', label: t('money.day'), cell: ({ date }) => formatDate(date, locale) },
        ...(['sold', 'spent', 'recorded'] as const).map(credits),
        {
          ...{ id: 'cost', label: t('money.cost'), end: true },
          cell: ({ providerCost }) => formatCost(providerCost, locale),
        },
        credits('drift'),
      ]}
      rows={days.toReversed()}
      rowId={({ date }) => date}
      empty={t('money.none')}
    />
  )
}

const alarmText = (t: Translate, { kind, expected, found }: MoneyAlarm): string =>
  t(kind === 'ledger' ? 'money.alarm.ledger' : 'money.alarm.provider', { expected, found })

function Alarms({ alarms }: { alarms: readonly MoneyAlarm[] }) {
  const { t, locale } = useText()
  return (
    <Panel title={t('money.alarms')} lead={t('money.alarmsLead')}>
      <RowBox empty={t('money.noAlarms')}>
        {alarms.map((alarm) => (
          <li key={`${alarm.date} ${alarm.kind}`} className="px-4 py-3">
            <p className="font-medium text-danger">{formatDate(alarm.date, locale)}</p>
            <p className="text-sm text-ink-2">{alarmText(t, alarm)}</p>
          </li>
        ))}
      </RowBox>
    </Panel>
  )
}
