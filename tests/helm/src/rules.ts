import { serviceNames } from '@parley/contracts'

/** A service level objective: at most the share `budget` of all counted events may be bad within 30 days. */
interface Objective {
  /** Part of the names of recorded series, and the alert's name. */
  readonly name: string
  readonly alert: string
  readonly runbook: string
  readonly budget: number
  readonly summary: string
  /** PromQL for the ratio of bad events over a window, such as `5m`. */
  ratio(window: string): string
}

const requests = 'http_request_duration_seconds_count{service="gateway",route=~"/api/.+"'
/** Prometheus 3 stores the bound `4` of a bucket as `4.0`, Prometheus 2 as it is served. */
const withinFourSeconds = 'chat_first_token_seconds_bucket{le=~"4|4[.]0"}'
/** For series that every exporter in a cluster has: the operator labels each of them with the name of its Kubernetes Service. */
export const ofParley = `{service=~"${serviceNames.join('|')}"}`
const started = `process_start_time_seconds${ofParley}`
/** Only failures caused by Parley, an engine or a provider; a refusal for missing credits or a limit is a valid answer. */
const ownFailures = 'code=~"unavailable|internal_error|provider_error|provider_timeout"'

/** Parley's objectives. */
export const objectives: readonly Objective[] = [
  {
    name: 'request_failures',
    alert: 'ParleyAvailability',
    runbook: 'availability',
    budget: 0.001,
    summary: 'Requests are failing: the objective of 99.9 % is at risk',
    ratio: (window) => `sum(rate(${requests},status=~"5.."}[${window}])) / sum(rate(${requests}}[${window}]))`,
  },
  {
    name: 'slow_first_tokens',
    alert: 'ParleyFirstToken',
    runbook: 'first-token',
    budget: 0.05,
    summary: 'Answers start slowly: the objective of 95 % within 4 s is at risk',
    ratio: (window) =>
      `1 - sum(rate(${withinFourSeconds}[${window}])) / sum(rate(chat_first_token_seconds_count[${window}]))`,
  },
  {
    name: 'failed_answers',
    alert: 'ParleyStreamErrors',
    runbook: 'stream-errors',
    budget: 0.01,
    summary: 'Answers are failing: the objective of 99 % is at risk',
    ratio: (window) =>
      `sum(rate(chat_generations_total{${ownFailures}}[${window}])) / sum(rate(chat_generations_total[${window}]))`,
  },
]

/** Burn rates that raise an alert: both windows must exceed the rate, so that an alert starts and ends soon. */
const speeds = [
  { severity: 'critical', long: '1h', short: '5m', factor: 14.4, for: '2m' },
  { severity: 'warning', long: '6h', short: '30m', factor: 6, for: '15m' },
] as const

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly severity: 'critical' | 'warning'
  readonly runbook: string
  readonly summary: string
}

const alerts: readonly Alert[] = [
  {
    alert: 'ParleyServiceMissing',
    // For a day: with a short look back, the alert would end while the service is still missing.
    expr: `count by (service) (max_over_time(${started}[1d])) unless count by (service) (${started})`,
    ...{ for: '3m', severity: 'critical', runbook: 'service-missing' },
    summary: 'No replica of {{ $labels.service }} is reporting metrics',
  },
  {
    alert: 'ParleyCircuitBreakerOpen',
    expr: 'max by (provider, model) (provider_circuit_breaker == 1)',
    ...{ for: '5m', severity: 'warning', runbook: 'circuit-breaker' },
    summary: 'The circuit breaker of {{ $labels.model }} at {{ $labels.provider }} is open: the provider keeps failing',
  },
  {
    alert: 'ParleyOutboxWaits',
    expr: 'max by (service) (event_outbox_oldest_seconds) > 120',
    ...{ for: '2m', severity: 'critical', runbook: 'outbox' },
    summary: 'Events of {{ $labels.service }} are not being published',
  },
  {
    alert: 'ParleyConsumerLag',
    expr: 'max by (group) (event_bus_lag) > 1000',
    ...{ for: '10m', severity: 'warning', runbook: 'consumer-lag' },
    summary: '{{ $labels.group }} is {{ $value }} events behind',
  },
  {
    alert: 'ParleyDeadLetters',
    expr: 'max by (group) (event_bus_dead_letters) > 0',
    ...{ for: '1m', severity: 'warning', runbook: 'dead-letters' },
    summary: '{{ $labels.group }} has {{ $value }} dead letters',
  },
  {
    alert: 'ParleyBooksDiffer',
    expr: 'max(billing_ledger_drift_credits) > 0 or sum by (kind) (increase(billing_money_alarms_total[1d])) > 0',
    ...{ for: '1m', severity: 'critical', runbook: 'money' },
    summary: 'Charges in the ledger and recorded usage differ',
  },
  {
    alert: 'ParleyHoldsOverdue',
    expr: 'max(billing_overdue_holds) > 0',
    ...{ for: '5m', severity: 'warning', runbook: 'holds' },
    summary: '{{ $value }} expired holds were not released',
  },
  {
    alert: 'ParleyMailsWait',
    expr: 'max(notifier_oldest_mail_seconds) > 900',
    ...{ for: '5m', severity: 'warning', runbook: 'mails' },
    summary: 'The oldest mail has been queued for {{ $value | humanizeDuration }}',
  },
  {
    alert: 'ParleyGuessing',
    expr: 'sum by (budget) (increase(auth_spent_budgets_total[15m])) > 50',
    ...{ for: '5m', severity: 'warning', runbook: 'guessing' },
    summary: 'Passwords or codes are being guessed ({{ $labels.budget }})',
  },
  {
    alert: 'ParleyEventLoopBlocked',
    expr: `max by (service) (nodejs_eventloop_lag_p99_seconds${ofParley}) > 0.25`,
    ...{ for: '10m', severity: 'warning', runbook: 'event-loop' },
    summary: 'The event loop of a {{ $labels.service }} replica is blocked',
  },
]

/** The chart fills in the release's name and hours. For a CronJob that never succeeded, kube-state-metrics reports its creation. */
const ofBackups = '{cronjob="parley-backup"}'
const backupAlert: Alert = {
  alert: 'ParleyBackupMissing',
  expr: `time() - max by (namespace, cronjob) (kube_cronjob_status_last_successful_time${ofBackups} or kube_cronjob_created${ofBackups}) > 26 * 3600`,
  ...{ for: '5m', severity: 'critical', runbook: 'backup-missing' },
  summary: 'The last successful backup is {{ $value | humanizeDuration }} old',
}

const recordOf = (name: string, window: string): string => `parley:${name}:ratio_rate${window}`

const windows = [...new Set(speeds.flatMap(({ long, short }) => [short, long]))]

const records = objectives.flatMap(({ name, ratio }) =>
  windows.map((window) => ({ record: recordOf(name, window), expr: ratio(window) })),
)

const burnRates: readonly Alert[] = objectives.flatMap(({ name, alert, budget, runbook, summary }) =>
  speeds.map(({ severity, long, short, factor, for: pending }) => {
    const over = (window: string): string => `${recordOf(name, window)} > ${factor} * ${budget}`
    return { alert, expr: `${over(long)} and ${over(short)}`, for: pending, severity, runbook, summary }
  }),
)

const ruleOf = ({ alert, expr, for: pending, severity, runbook, summary }: Alert) => ({
  ...{ alert, expr, for: pending, labels: { severity } },
  annotations: { summary, runbook_url: `deploy/runbooks/${runbook}.md` },
})

/** The Prometheus rules: recorded series for the objectives, and alerts. */
export const ruleGroups = {
  groups: [
    { name: 'parley-objectives', interval: '30s', rules: records },
    { name: 'parley-alerts', rules: [...burnRates, ...alerts].map(ruleOf) },
  ],
}

/** Additional rules for installations on Kubernetes whose backups the chart makes. */
export const backupRuleGroups = { groups: [{ name: 'parley-backup', rules: [ruleOf(backupAlert)] }] }
