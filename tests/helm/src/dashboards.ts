/** One graph or figure of a dashboard. */
interface Panel {
  readonly title: string
  readonly unit?: 's' | 'reqps' | 'percentunit' | 'short' | 'bytes'
  /** PromQL expressions, each with its legend. */
  readonly lines: readonly (readonly [expr: string, legend: string])[]
  /** Shows a single number instead of a graph. */
  readonly isFigure?: true
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

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
      {
        ...{ title: 'Failed requests (1 h)', unit: 'percentunit', isFigure: true },
        lines: [['parley:request_failures:ratio_rate1h', 'failed']],
      },
      {
        ...{ title: 'First tokens after 4 s (1 h)', unit: 'percentunit', isFigure: true },
        lines: [['parley:slow_first_tokens:ratio_rate1h', 'slow']],
      },
      {
        ...{ title: 'Failed answers (1 h)', unit: 'percentunit', isFigure: true },
        lines: [['parley:failed_answers:ratio_rate1h', 'failed']],
      },
      { title: 'Requests by status', unit: 'reqps', lines: [[rate(requests(), 'status'), '{{status}}']] },
      {
        ...{ title: 'Requests by route', unit: 'reqps' },
        lines: [[`topk(10, ${rate(requests(), 'method, route')})`, '{{method}} {{route}}']],
      },
      {
        ...{ title: 'p95 by service', unit: 's' },
        lines: [[quantile(0.95, 'http_request_duration_seconds_bucket{route!="/api/chat"}', 'service'), '{{service}}']],
      },
      {
        title: 'Open streams and sockets',
        lines: [
          ['sum(gateway_open_streams)', 'streams'],
          ['sum(realtime_connections)', 'sockets'],
        ],
      },
      {
        ...{ title: 'Event loop p99', unit: 's' },
        lines: [['max by (service) (nodejs_eventloop_lag_p99_seconds)', '{{service}}']],
      },
      {
        ...{ title: 'Memory', unit: 'bytes' },
        lines: [['sum by (service) (process_resident_memory_bytes)', '{{service}}']],
      },
      { title: 'CPU', lines: [[rate('process_cpu_seconds_total', 'service'), '{{service}}']] },
    ],
  },
  {
    uid: 'parley-chat',
    title: 'Parley: chat',
    panels: [
      { title: 'Running answers', lines: [['sum(chat_generations_running)', 'running']] },
      {
        title: 'Answers by outcome',
        unit: 'reqps',
        lines: [[rate('chat_generations_total', 'outcome'), '{{outcome}}']],
      },
      {
        ...{ title: 'Failures by code', unit: 'reqps' },
        lines: [[rate('chat_generations_total{code!="none"}', 'code'), '{{code}}']],
      },
      {
        ...{ title: 'First token p95 by model', unit: 's' },
        lines: [[quantile(0.95, 'chat_first_token_seconds_bucket', 'model'), '{{model}}']],
      },
      {
        ...{ title: 'Provider first chunk p95', unit: 's' },
        lines: [[quantile(0.95, 'provider_first_token_seconds_bucket', 'provider, model'), '{{provider}} {{model}}']],
      },
      {
        ...{ title: 'Provider calls by outcome', unit: 'reqps' },
        lines: [[rate('provider_first_token_seconds_count', 'provider, outcome'), '{{provider}} {{outcome}}']],
      },
      {
        title: 'Circuit breakers: 1 open, 2 half-open',
        lines: [['max by (provider, model) (provider_circuit_breaker)', '{{provider}} {{model}}']],
      },
      {
        title: 'Sockets and joined chats',
        lines: [
          ['sum(realtime_connections)', 'sockets'],
          ['sum(realtime_rooms)', 'chats'],
        ],
      },
      {
        title: 'Sockets closed by the server',
        unit: 'reqps',
        lines: [[rate('realtime_ends_total', 'code'), '{{code}}']],
      },
      {
        title: 'Joins of chats by outcome',
        unit: 'reqps',
        lines: [[rate('realtime_joins_total', 'outcome'), '{{outcome}}']],
      },
      {
        ...{ title: 'Tokens of uncharged model calls', unit: 'short' },
        lines: uncharged.map((of) => [rate(`${of}_tokens_total`, 'model, direction'), `${of} {{model}} {{direction}}`]),
      },
      {
        ...{ title: 'Uncharged model calls', unit: 'reqps' },
        lines: uncharged.map((of) => [rate(`${of}_calls_total`, 'model, outcome'), `${of} {{model}} {{outcome}}`]),
      },
    ],
  },
  {
    uid: 'parley-money',
    title: 'Parley: money',
    panels: [
      {
        ...{ title: 'Ledger drift in credits', isFigure: true },
        lines: [['max(billing_ledger_drift_credits)', 'credits']],
      },
      {
        ...{ title: 'Alarms (30 d)', isFigure: true },
        lines: [['sum by (kind) (increase(billing_money_alarms_total[30d]))', '{{kind}}']],
      },
      { title: 'Overdue holds', isFigure: true, lines: [['max(billing_overdue_holds)', 'holds']] },
      {
        title: 'Open holds and running answers',
        lines: [
          ['max(billing_open_holds)', 'holds'],
          ['sum(chat_generations_running)', 'answers'],
        ],
      },
      {
        ...{ title: 'Billing calls by status', unit: 'reqps' },
        lines: [[rate('http_request_duration_seconds_count{service="billing"}', 'status'), '{{status}}']],
      },
      {
        ...{ title: 'Billing p95 by route', unit: 's' },
        lines: [[quantile(0.95, 'http_request_duration_seconds_bucket{service="billing"}', 'route'), '{{route}}']],
      },
    ],
  },
  {
    uid: 'parley-engines',
    title: 'Parley: engines and events',
    panels: [
      {
        ...{ title: 'Oldest event in the outbox', unit: 's' },
        lines: [['max by (service) (event_outbox_oldest_seconds)', '{{service}}']],
      },
      { title: 'Unhandled events by group', lines: [['max by (group) (event_bus_lag)', '{{group}}']] },
      { title: 'Dead letters', lines: [['max by (group) (event_bus_dead_letters)', '{{group}}']] },
      {
        ...{ title: 'Oldest mail', unit: 's' },
        lines: [['max(notifier_oldest_mail_seconds)', 'oldest']],
      },
      { title: 'Queued mails', lines: [['max(notifier_mails_queued)', 'mails']] },
      {
        ...{ title: 'Mails by outcome', unit: 'reqps' },
        lines: [[rate('notifier_mails_settled_total', 'kind, outcome'), '{{kind}} {{outcome}}']],
      },
      {
        ...{ title: 'Unavailable (503) by service', unit: 'reqps' },
        lines: [[rate('http_request_duration_seconds_count{status="503"}', 'service'), '{{service}}']],
      },
      {
        ...{ title: 'Wrong and refused passwords and codes', unit: 'reqps' },
        lines: [
          [rate('auth_wrong_guesses_total', 'of'), 'wrong {{of}}'],
          [rate('auth_refused_guesses_total', 'of'), 'refused {{of}}'],
          [rate('auth_spent_budgets_total', 'budget'), 'exhausted {{budget}}'],
        ],
      },
    ],
  },
  {
    uid: 'parley-api',
    title: 'Parley: API customers',
    panels: [
      {
        ...{ title: 'Calls by route', unit: 'reqps' },
        lines: [
          [rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+"}', 'route'), '{{route}}'],
        ],
      },
      {
        ...{ title: 'Calls by status', unit: 'reqps' },
        lines: [
          [rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+"}', 'status'), '{{status}}'],
        ],
      },
      {
        ...{ title: 'Refused by limits (429)', unit: 'reqps' },
        lines: [
          [
            rate('http_request_duration_seconds_count{service="gateway",route=~"/api/v1/.+",status="429"}', 'route'),
            '{{route}}',
          ],
        ],
      },
      {
        ...{ title: 'Duration p50 and p95 by route', unit: 's' },
        lines: [
          [
            quantile(0.5, 'http_request_duration_seconds_bucket{service="gateway",route=~"/api/v1/.+"}', 'route'),
            'p50 {{route}}',
          ],
          [
            quantile(0.95, 'http_request_duration_seconds_bucket{service="gateway",route=~"/api/v1/.+"}', 'route'),
            'p95 {{route}}',
          ],
        ],
      },
      {
        ...{ title: 'Provider first chunk p95', unit: 's' },
        lines: [[quantile(0.95, 'provider_first_token_seconds_bucket', 'provider'), '{{provider}}']],
      },
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

const panelOf = ({ title, unit = 'short', lines, isFigure }: Panel, index: number, all: readonly Panel[]) => ({
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
