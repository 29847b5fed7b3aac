import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatCompact } from '../format.ts'
import { useText } from '../i18n/index.ts'
import { dateFormat, numberFormat } from '../intl.ts'
import { labelled } from '../labelled.ts'
import { useTheme } from '../theme/theme.ts'
import { loneIndexes } from './days.ts'

export interface PlotSeries {
  readonly label: string
  /** Null where the value is unknown: the line has a gap. */
  readonly values: readonly (number | null)[]
}

interface Props {
  /** Describes the plot; the numbers are in the table. */
  readonly label: string
  /** Days such as `2030-01-31`, one per value. */
  readonly dates: readonly string[]
  readonly series: readonly PlotSeries[]
}

const height = 200
const daySeconds = 24 * 60 * 60
const dayIncrements = [1, 2, 7, 14, 30].map((days) => days * daySeconds)
const wholeIncrements = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
const lineColors = ['--brand', '--second'] as const

/**
 * Daily values as lines, with the day under the pointer as text. Time runs from left to right in Arabic, too: so it does in the analytics and monitoring
 * products and the printed charts that Arabic readers know, numbers on the axes are read from left to right as well, and a rising line that falls when
 * mirrored would be misread. Legend, day, labels and the table follow the text's direction.
 */
export function DayPlot({ label, dates, series }: Props) {
  const { locale } = useText()
  const box = useRef<HTMLDivElement>(null)
  const theme = useDrawnTheme()
  const [at, setAt] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas does not follow the theme's variables by itself
  useEffect(() => {
    const element = box.current
    if (!element) return
    const plot = new uPlot(
      optionsOf({ locale, series, width: element.clientWidth, onDay: setAt }),
      [dates.map((date) => Date.parse(date) / 1000), ...series.map(({ values }) => [...values])],
      element,
    )
    // The plot runs from left to right in every language, the days' names below it do not.
    plot.ctx.canvas.dir = document.documentElement.dir
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [locale, dates, series, theme])
  return (
    <div>
      <div className="mb-2 flex min-h-5 flex-wrap justify-between gap-x-4 text-2xs text-ink-2 tabular-nums">
        <ul className="flex flex-wrap gap-x-4">
          {series.map((one, index) => (
            <li key={one.label} className="flex items-center gap-1.5">
              <span
                aria-hidden="true"
                className={`h-0.75 w-2.5 rounded-full ${index === 0 ? 'bg-brand' : 'bg-second'}`}
              />
              {one.label}
            </li>
          ))}
        </ul>
        <p aria-hidden="true">{at !== null && dayText(at, dates, series, locale)}</p>
      </div>
      <div ref={box} role="img" aria-label={label} dir="ltr" style={{ height }} />
    </div>
  )
}

const dayFormat = (locale: string) => dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function dayText(at: number, dates: readonly string[], series: readonly PlotSeries[], locale: string): string {
  const number = numberFormat(locale)
  const values = series.map(({ values: own }) => {
    const value = own[at] ?? null
    return value === null ? '–' : number.format(value)
  })
  return labelled(dayFormat(locale).format(new Date(dates[at] ?? 0)), locale, values.join(' · '))
}

interface PlotInput {
  readonly locale: string
  readonly series: readonly PlotSeries[]
  readonly width: number
  /** Called with the index of the day under the pointer. */
  readonly onDay: (index: number | null) => void
}

function optionsOf({ locale, series, width, onDay }: PlotInput): uPlot.Options {
  const hasDays = series.some(({ values }) => values.length > 0)
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const day = dayFormat(locale)
  const axis = { stroke: color('--ink-3'), font: '12px system-ui, sans-serif', ticks: { show: false } }
  return {
    width,
    height,
    // Half of the last date extends beyond the end. Without days there is no axis of dates, which leaves half of the zero room.
    padding: [8, 24, hasDays ? 0 : 8, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, (max ?? 0) * 1.08)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 34,
        // Keeps the first day's name clear of the zero beside it.
        gap: 10,
        space: 64,
        incrs: dayIncrements,
        values: (_plot, seconds) => seconds.map((value) => day.format(new Date(value * 1000))),
      },
      {
        ...axis,
        grid: { stroke: color('--line'), width: 1 },
        size: 44,
        space: 48,
        incrs: wholeIncrements,
        values: (_plot, values) => values.map((value) => formatCompact(value, locale)),
      },
    ],
    series: [
      {},
      ...series.map(({ values }, index) => ({
        stroke: color(lineColors[index] ?? '--brand'),
        width: 2,
        // If there is no room for the points of all days, only isolated ones are drawn.
        points: {
          size: 5,
          filter: (_plot: uPlot, _series: number, all: boolean) => (all ? null : loneIndexes(values)),
        },
        ...(index === 0 && { fill: color('--brand-weak') }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
  }
}

/** Changes whenever the drawn colours change. */
function useDrawnTheme(): string {
  const colors = useTheme((state) => state.colors)
  const [name, setName] = useState(() => document.documentElement.dataset.theme)
  useEffect(() => {
    const observer = new MutationObserver(() => setName(document.documentElement.dataset.theme))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return `${name} ${JSON.stringify(colors)}`
}
