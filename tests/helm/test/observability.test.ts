import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chartEntries } from '../src/services.ts'

const deploy = join(import.meta.dirname, '../../../deploy')
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8')
/** The texts of a folder of the chart. */
const readAll = (folder: string): readonly string[] => {
  const path = join(deploy, '../helm/parley/files', folder)
  return readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'))
}

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly annotations?: { readonly summary: string; readonly runbook_url: string }
}
const rules = readAll('alerts').flatMap((text) => {
  const { groups } = parse(text) as { groups: { readonly rules: readonly Rule[] }[] }
  return groups.flatMap((group) => group.rules)
})
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
const alerts = rules.filter(({ alert }) => alert !== undefined)

interface Dashboard {
  readonly title: string
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}
const dashboards = readAll('dashboards').map((text) => JSON.parse(text) as Dashboard)

interface Scraping {
  readonly rule_files: readonly string[]
  readonly scrape_configs: readonly {
    readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[]
  }[]
}

const types = new Map(
  [...read('METRICS.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name = '', type = '']) => [name, type]),
)
/** Default metrics of prom-client, reported by every process. */
const ofProcess = [
  ...['process_start_time_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total'],
  'nodejs_eventloop_lag_p99_seconds',
]

/** Metrics of kube-state-metrics about the chart's CronJob. */
const ofCluster = ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created']

/** All series that Prometheus can have of Parley. */
const series = new Set([
  ...ofProcess,
  ...ofCluster,
  ...recorded,
  ...[...types].flatMap(([name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  ),
])

/** Series names in an expression: identifiers that are not functions, labels or keywords. */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring) \([^)]*\)/g, '')
    .replaceAll(/\boffset \w+/g, '')
  return [...bare.matchAll(/[a-z][\w:]*(?!\s*\(|[\w:])/g)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless', 'sum', 'max', 'count', 'topk'].includes(name))
}

const expressions = [
  ...rules.map(({ alert, record, expr }) => [`rule ${alert ?? record}`, expr] as const),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => [`dashboard ${title}`, expr] as const)),
  ),
]

describe('rules and dashboards', () => {
  it('use only series listed in deploy/METRICS.md', () => {
    expect(namesIn('sum by (route) (rate(made_up_total{code=~"a|b"}[5m])) > 3 and other offset 5m')).toEqual([
      'made_up_total',
      'other',
    ])
    for (const [where, expr] of expressions) {
      const names = namesIn(expr)
      expect(names.length, `series of ${where}: ${expr}`).toBeGreaterThan(0)
      expect(
        names.filter((name) => !series.has(name)),
        `unknown series of ${where}: ${expr}`,
      ).toEqual([])
    }
  })

  it('find a bucket of a histogram in Prometheus 2, which stores "4", and in Prometheus 3, which stores "4.0"', () => {
    const matchers = expressions.flatMap(([, expr]) => [...expr.matchAll(/\ble(=~?)"([^"]*)"/g)])
    expect(matchers.length).toBeGreaterThan(0)
    for (const [matcher, operator, value = ''] of matchers) {
      const matches = (label: string): boolean =>
        operator === '=' ? label === value : new RegExp(`^(?:${value})$`).test(label)
      expect([matcher, ['4', '4.0', '40'].filter(matches)]).toEqual([matcher, ['4', '4.0']])
    }
  })

  it('count processes of Parley only, since every exporter in a cluster has these series', () => {
    const selectors = expressions.flatMap(([where, expr]) =>
      ofProcess.flatMap((name) =>
        [...expr.matchAll(new RegExp(`\\b${name}\\b(?:\\{service=~"([^"]*)"\\})?`, 'g'))].map(
          ([, services = '']) => [where, services.split('|').sort()] as const,
        ),
      ),
    )
    expect(selectors.length).toBeGreaterThan(ofProcess.length)
    for (const [where, services] of selectors) expect([where, services]).toEqual([where, [...serviceNames].sort()])
  })

  it('list autoscaling metrics as gauges, and the chart’s README names them', () => {
    const scaling = Object.values(chartEntries()).flatMap(({ openMetric }) => openMetric ?? [])
    expect(scaling.map((name) => types.get(name))).toEqual(['gauge', 'gauge', 'gauge'])
    const readme = readFileSync(join(deploy, '../helm/README.md'), 'utf8')
    expect(scaling.filter((name) => !readme.includes(name))).toEqual([])
  })

  it('use every listed metric at least once', () => {
    const asked = new Set(
      expressions.flatMap(([, expr]) => namesIn(expr)).map((name) => name.replace(/_(bucket|count)$/, '')),
    )
    expect([...types.keys()].filter((name) => !asked.has(name))).toEqual([])
  })

  it('have one runbook per alert, which names it, and no other runbooks', () => {
    const linked = alerts.map(({ alert, annotations }) => {
      const path = annotations?.runbook_url.replace(/^deploy\//, '') ?? ''
      expect(existsSync(join(deploy, path)), `the runbook of ${alert}`).toBe(true)
      expect(read(path)).toContain(`\`${alert}\``)
      return path.replace('runbooks/', '')
    })
    expect([...new Set(linked)].sort()).toEqual(readdirSync(join(deploy, 'runbooks')).sort())
  })

  it('alert on an objective by two windows of the recorded ratio', () => {
    const burning = alerts.filter(({ expr }) => expr.includes(':ratio_rate'))
    expect(burning.map(({ alert }) => alert)).toEqual(
      ['Availability', 'FirstToken', 'StreamErrors'].flatMap((name) => [`Parley${name}`, `Parley${name}`]),
    )
    for (const { expr } of burning) expect(new Set(namesIn(expr)).size).toBe(2)
  })

  it('are fed from every service of compose by the scrape configuration for it', () => {
    const { scrape_configs: jobs, rule_files: files } = parse(read('observability/prometheus.yml')) as Scraping
    const scraped = jobs.flatMap(({ dns_sd_configs: places }) =>
      places.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    )
    const entries = chartEntries()
    const { services } = parse(readFileSync(join(deploy, '../docker-compose.yml'), 'utf8'), {
      merge: true,
      maxAliasCount: -1,
    }) as {
      readonly services: Readonly<
        Record<string, { networks: readonly string[]; environment: { METRICS_PORT?: number } }>
      >
    }
    const served = serviceNames.map((name) => {
      expect(services[name]?.networks).toContain('backend')
      return `${name}:${services[name]?.environment.METRICS_PORT ?? entries[name]?.ports.http}`
    })
    expect(scraped.sort()).toEqual(served.sort())
    expect(files.filter((file) => !existsSync(join(deploy, 'observability', file)))).toEqual([])
    expect(files).not.toEqual([])
  })

  it('report a missing service for a day, instead of as resolved while it is still missing', () => {
    const { expr } = alerts.find(({ alert }) => alert === 'ParleyServiceMissing') as Rule
    const [before = '', now = ''] = expr.split(' unless ')
    expect(before).toBe(now.replace(/\((process_start_time_seconds\{[^}]*\})\)/, '(max_over_time($1[1d]))'))
    expect(now).toMatch(/^count by \(service\) \(process_start_time_seconds\{/)
  })

  it('cover the whole product in five dashboards, and the runbooks’ links resolve', () => {
    expect(dashboards.map(({ title }) => title).sort()).toEqual(
      ['API customers', 'chat', 'engines and events', 'money', 'overview'].map((name) => `Parley: ${name}`),
    )
    for (const name of readdirSync(join(deploy, 'runbooks'))) {
      for (const [, link = ''] of read(`runbooks/${name}`).matchAll(/\]\(([^)#]+)/g)) {
        expect(existsSync(join(deploy, 'runbooks', link)), `${link} in ${name}`).toBe(true)
      }
    }
  })
})
