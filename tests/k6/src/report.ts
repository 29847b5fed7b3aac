/** The data that k6 passes to `handleSummary`. */
export interface Summary {
  readonly metrics: Readonly<Record<string, Metric>>
}
interface Metric {
  readonly type: 'counter' | 'gauge' | 'rate' | 'trend'
  readonly contains: 'default' | 'time' | 'data'
  readonly values: Readonly<Record<string, number>>
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>
}

const shown = /^(http_reqs|iterations|vus_max|answer_\w+|socket_\w+|http_req_duration.*|http_req_failed|checks)$/

/** Number of completed iterations; with none, k6 crosses no threshold. */
export const iterationsOf = ({ metrics }: Summary): number => metrics.iterations?.values.count ?? 0

/** One line per relevant figure, marked by whether its threshold was met. */
export function linesOf({ metrics }: Summary): readonly string[] {
  return Object.entries(metrics)
    .filter(([name]) => shown.test(name))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, metric]) => {
      const thresholds = Object.entries(metric.thresholds ?? {})
      const mark = thresholds.length === 0 ? ' ' : thresholds.every(([, { ok }]) => ok) ? '✓' : '✗'
      return `${mark} ${name}: ${figuresOf(metric)}${thresholds.map(([rule, { ok }]) => (ok ? '' : `, not ${rule}`)).join('')}`
    })
}

function figuresOf({ type, contains, values }: Metric): string {
  if (type === 'rate') return `${((values.rate ?? 0) * 100).toFixed(2)} %`
  if (type === 'counter') return `${values.count} (${(values.rate ?? 0).toFixed(1)}/s)`
  if (type === 'gauge') return String(values.value)
  const unit = contains === 'time' ? ' ms' : ''
  return ['med', 'p(95)', 'p(99)', 'max'].map((name) => `${name} ${Math.round(values[name] ?? 0)}${unit}`).join(', ')
}
