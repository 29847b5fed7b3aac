import { ofParley } from './rules.ts'

/** A PromQL expression with its legend. */
type Line = readonly [expr: string, legend: string]

/** One graph or figure of a dashboard. */
interface Panel {
  readonly title: string
  readonly unit: 's' | 'reqps' | 'percentunit' | 'short' | 'bytes'
  readonly lines: readonly Line[]
  /** Shows a single number instead of a graph. */
  readonly isFigure: boolean
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const graph = (title: string, unit: Panel['unit'], ...lines: Line[]): Panel => ({ title, unit, lines, isFigure: false })
const figure = (title: string, unit: Panel['unit'], line: Line): Panel => ({
  ...graph(title, unit, line),
  isFigure: true,
})
const rate = (selector: string, by: string): string => `sum by (${by}) (rate(${selector}[$__rate_interval]))`
const quantile = (q: number, metric: string, by: string): string =>
  `histogram_quantile(${q}, sum by (le, ${by}) (rate(${metric}[$__rate_interval])))`
const requests = (more = ''): string => `http_request_duration_seconds_count{service="gateway",route=~"/api/.+"${more}}`

/** Model calls for the product's own purposes, by metric prefix. */
const uncharged = ['memory_semantic', 'memory_embedding', 'chat_title', 'chat_follow_up'] as const

const dashboards: readonly Dashboard[] = [
  {
    uid: 'parley-overview',
    title: 'Parley: overview',
    panels: [
      figure('Failed requests (1 h)', 'percentunit', ['parley:request_failures:ratio_rate1h', 'failed']),
      figure('First tokens after 4 s (1 h)', 'percentunit', ['parley:slow_first_tokens:ratio_rate1h', 'slow']),
      figure('Failed answers (1 h)', 'percentunit', ['parley:failed_answers:ratio_rate1h', 'failed']),
      graph('Requests by status', 'reqps', [rate(requests(), 'status'), '{{status}}']),
      graph('Requests by route', 'reqps', [`topk(10, ${rate(requests(), 'method, route')})`, '{{method}} {{route}}']),
      graph('p95 by service', 's', [
        quantile(0.95, 'http_request_duration_seconds_bucket{route!="/api/chat"}', 'service'),
        '{{service}}',
      ]),
      graph(
        'Open streams and sockets',
        'short',
        ['sum(gateway_open_streams)', 'streams'],
        ['sum(realtime_connections)', 'sockets'],
      ),
      graph('Event loop p99', 's', [`max by (service) (nodejs_eventloop_lag_p99_seconds${ofParley})`, '{{service}}']),
      graph('Memory', 'bytes', [`sum by (service) (process_resident_memory_bytes${ofParley})`, '{{service}}']),
      graph('CPU', 'short', [rate(`process_cpu_seconds_total${ofParley}`, 'service'), '{{service}}']),
    ],
  },
  {
    uid: 'parley-chat',
    title: 'Parley: chat',
    panels: [
      graph('Running answers', 'short', ['sum(chat_generations_running)', 'running']),
      graph('Answers by outcome', 'reqps', [rate('chat_generations_total', 'outcome'), '{{outcome}}']),
      graph('Failures by code', 'reqps', [rate('chat_generations_total{code!="none"}', 'code'), '{{code}}']),
      graph('First token p95 by model', 's', [quantile(0.95, 'chat_first_token_seconds_bucket', 'model'), '{{model}}']),
      graph('Provider first chunk p95', 's', [
        quantile(0.95, 'provider_first_token_seconds_bucket', 'provider, model'),
        '{{provider}} {{model}}',
      ]),
      graph('Provider calls by outcome', 'reqps', [
        rate('provider_first_token_seconds_count', 'provider, outcome'),
        '{{provider}} {{outcome}}',
      ]),
      graph('Circuit breakers: 1 open, 2 half-open', 'short', [
        'max by (provider, model) (provider_circuit_breaker)',
        '{{provider}} {{model}}',
      ]),
      graph(
        'Sockets and joined chats',
        'short',
        ['sum(realtime_connections)', 'sockets'],
        ['sum(realtime_rooms)', 'chats'],
      ),
      graph('Sockets closed by the server', 'reqps', [rate('realtime_ends_total', 'code'), '{{code}}']),
      graph('Joins of chats by outcome', 'reqps', [rate('realtime_joins_total', 'outcome'), '{{outcome}}']),
      graph(
        'Tokens of uncharged model calls',
        'short',
        ...uncharged.map(
          (of): Line => [rate(`${of}_tokens_total`, 'model, direction'), `${of} {{model}} {{direction}}`],
        ),
      ),
      graph(
        'Uncharged model calls',
        'reqps',
        ...uncharged.map((of): Line => [rate(`${of}_calls_total`, 'model, outcome'), `${of} {{model}} {{outcome}}`]),
      ),
    ],
  },
  {
    uid: 'parley-money',
    title: 'Parley: money',
    panels: [
      figure('Ledger drift in credits', 'short', ['max(billing_ledger_drift_credits)', 'credits']),
      figure('Alarms (30 d)', 'short', ['sum by (kind) (increase(billing_money_alarms_total[30d]))', '{{kind}}']),
      figure('Overdue holds', 'short', ['max(billing_overdue_holds)', 'holds']),
      graph(
        'Open holds and running answers',
        'short',
        ['max(billing_open_holds)', 'holds'],
        ['sum(chat_generations_running)', 'answers'],
      ),
      graph('Billing calls by status', 'reqps', [
        rate('http_request_duration_seconds_count{service="billing"}', 'status'),
        '{{status}}',
      ]),
      graph('Billing p95 by route', 's', [
        quantile(0.95, 'http_request_duration_seconds_bucket{service="billing"}', 'route'),
        '{{route}}',
      ]),
    ],
  },
  {
    uid: 'parley-engines',
    title: 'Parley: engines and events',
    panels: [
      graph('Oldest event in the outbox', 's', ['max by (service) (event_outbox_oldest_seconds)', '{{service}}']),
      graph('Unhandled events by group', 'short', ['max by (group) (event_bus_lag)', '{{group}}']),
      graph('Dead letters', 'short', ['max by (group) (event_bus_dead_letters)', '{{group}}']),
      graph('Oldest mail', 's', ['max(notifier_oldest_mail_seconds)', 'oldest']),
      graph('Queued mails', 'short', ['max(notifier_mails_queued)', 'mails']),
      graph('Mails by outcome', 'reqps', [
        rate('notifier_mails_settled_total', 'kind, outcome'),
        '{{kind}} {{outcome}}',
      ]),
      graph('Unavailable (503) by service', 'reqps', [
        rate('http_request_duration_seconds_count{status="503"}', 'service'),
        '{{service}}',
      ]),
      graph(
        'Wrong and refused passwords and codes',
        'reqps',
        [rate('auth_wrong_guesses_total', 'of'), 'wrong {{of}}'],
        [rate('auth_refused_guesses_total', 'of'), 'refused {{of}}'],
        [rate('auth_spent_budgets_total', 'budget'), 'exhausted {{budget}}'],
      ),
    ],
  },
  {
    uid: 'parley-api',
    title: 'Parley: API customers',
    panels: [
      graph('Calls by route', 'reqps', [
        rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+"}', 'route'),
        '{{route}}',
      ]),
      graph('Calls by status', 'reqps', [
        rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+"}', 'status'),
        '{{status}}',
      ]),
      graph('Refused by limits (429)', 'reqps', [
        rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+",status="429"}', 'route'),
        '{{route}}',
      ]),
      graph(
        'Duration p50 and p95 by route',
        's',
        [
          quantile(0.5, 'http_request_duration_seconds_bucket{service="gateway",route=~"/api/v1/.+"}', 'route'),
          'p50 {{route}}',
        ],
        [
          quantile(0.95, 'http_request_duration_seconds_bucket{service="gateway",route=~"/api/v1/.+"}', 'route'),
          'p95 {{route}}',
        ],
      ),
      graph('Provider first chunk p95', 's', [
        quantile(0.95, 'provider_first_token_seconds_bucket', 'provider'),
        '{{provider}}',
      ]),
    ],
  },
]

const datasource = { type: 'prometheus', uid: '$datasource' }
const columns = 24

/** Figures in rows of three, graphs below them in rows of two. */
function placeOf(panels: readonly Panel[], index: number) {
  const figures = panels.filter(({ isFigure }) => isFigure).length
  if (index < figures) return { x: (index * columns) / 3, y: 0, w: columns / 3, h: 4 }
  const nth = index - figures
  return { x: ((nth % 2) * columns) / 2, y: (figures > 0 ? 4 : 0) + Math.floor(nth / 2) * 8, w: columns / 2, h: 8 }
}

const panelOf = ({ title, unit, lines, isFigure }: Panel, index: number, all: readonly Panel[]) => ({
  ...{ id: index + 1, title, type: isFigure ? 'stat' : 'timeseries', datasource, gridPos: placeOf(all, index) },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: lines.map(([expr, legendFormat], nth) => ({
    ...{ refId: String.fromCharCode('A'.charCodeAt(0) + nth), datasource, expr, legendFormat },
  })),
})

/** A dashboard in Grafana's import format; its data source is chosen in Grafana. */
const dashboardOf = ({ uid, title, panels }: Dashboard) => ({
  ...{ uid, title, tags: ['parley'], schemaVersion: 39, editable: true, refresh: '30s', timezone: 'browser' },
  time: { from: 'now-3h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
  panels: panels.map(panelOf),
})

/** All dashboards by file name. */
export const grafanaDashboards: Readonly<Record<string, object>> = Object.fromEntries(
  dashboards.map((dashboard) => [`${dashboard.uid}.json`, dashboardOf(dashboard)]),
)
