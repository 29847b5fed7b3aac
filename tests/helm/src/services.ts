import { allServices } from '@parley/all-in-one/services'
import type { ServiceName } from '@parley/contracts'
import { processSchema, type ServiceDefinition, stopStages, urlVariable } from '@parley/kit'
import { z } from 'zod'

/** Data of a Deployment for the chart's single template set, in addition to the values. */
export interface ChartEntry {
  /** Last part of the image's name. */
  readonly image: string
  /** Overrides the image's command. */
  readonly command?: readonly string[]
  /** Numeric user id of the image. */
  readonly user: number
  /** Ports by name; callers use `http`. */
  readonly ports: Readonly<Record<string, number>>
  /** Probe paths on `http`, and the Host header that they need; the pod's address by default. */
  readonly probes: { readonly live: string; readonly ready: string; readonly host?: string }
  /** Entries whose addresses it needs, by variable name. */
  readonly addresses: Readonly<Record<string, string>>
  /** Entries that it may connect to. */
  readonly reaches: readonly string[]
  readonly engines: readonly string[]
  readonly reachesOutside: boolean
  /** Whether it has a `migrate` command. */
  readonly migrates: boolean
  /** Stage of the shutdown order; stage 0 stops first. */
  readonly stopStage: number
  /** Non-secret variables that values may set. */
  readonly settings: readonly string[]
  /** Variables that come only from Secrets, as files. */
  readonly secrets: readonly string[]
  /** The subset of `secrets` without which it does not start. */
  readonly required: readonly string[]
  /** Variables that are either all set or none. */
  readonly together?: readonly string[]
  /** Gauge of open streams or sockets per pod, for autoscaling. */
  readonly openMetric?: string
}

/** Name patterns of variables with secret values. */
const isSecret = (name: string): boolean =>
  /(_API_KEY|_PRIVATE_KEY|_PUBLIC_KEYS|_SECRETS?|_PASSWORD)$|^(POSTGRES|MONGO|REDIS|SMTP)_URL$/.test(name)

/** Streams and sockets are long-lived and use little CPU, so CPU is no scaling signal for them. */
const openMetrics: Partial<Record<ServiceName, string>> = {
  chat: 'chat_generations_running',
  gateway: 'gateway_open_streams',
  realtime: 'realtime_connections',
}

/** Prometheus scrapes the gateway here; its public port does not serve metrics. */
const metricsPort = 9_090

function ofService(definition: ServiceDefinition, stages: readonly (readonly ServiceName[])[]): ChartEntry {
  const { name, calls, engines, setTogether } = definition
  const shape = Object.entries<z.core.$ZodType>(processSchema(definition).shape)
  const addresses = Object.fromEntries(calls.map((service) => [urlVariable(service), service as string]))
  const names = shape.map(([variable]) => variable).filter((variable) => !['HOST', 'PORT'].includes(variable))
  const secrets = names.filter(isSecret)
  return {
    image: name,
    user: 1_000,
    ports: { http: 8_080, ...(names.includes('METRICS_PORT') && { metrics: metricsPort }) },
    probes: { live: '/healthz', ready: '/readyz' },
    addresses,
    reaches: [...calls, ...extrasOf(name)].sort(),
    engines: Object.values(engines)
      .flatMap((engine) => engine?.kind ?? [])
      .sort(),
    reachesOutside: definition.reachesOutside === true,
    migrates: engines.stores !== undefined,
    stopStage: stages.findIndex((stage) => stage.includes(name)),
    settings: names.filter((variable) => !secrets.includes(variable) && addresses[variable] === undefined).sort(),
    secrets: secrets.sort(),
    required: shape
      .filter(([variable, schema]) => secrets.includes(variable) && !z.safeParse(schema, undefined).success)
      .map(([variable]) => variable)
      .sort(),
    ...(setTogether && { together: setTogether }),
    ...(openMetrics[name] && { openMetric: openMetrics[name] }),
  }
}

const plain = {
  user: 1_000,
  ports: { http: 8_080 },
  probes: { live: '/healthz', ready: '/healthz' },
  addresses: {},
  reaches: [],
  engines: [],
  reachesOutside: false,
  migrates: false,
  stopStage: 0,
  settings: [],
  secrets: [],
  required: [],
} satisfies Omit<ChartEntry, 'image'>

/** Deployments other than services: the SPA's server and the edge, both nginx, and the parts of a trial. */
const others: Readonly<Record<string, ChartEntry>> = {
  web: { ...plain, image: 'web', user: 101, settings: ['API_URL', 'STRICT_TRANSPORT_SECURITY'] },
  edge: { ...plain, image: 'nginx', user: 101, reaches: ['gateway', 'web'] },
  demo: { ...plain, image: 'all-in-one', command: ['node', 'src/demo/main.ts'], settings: ['DEMO_PIECE_MS'] },
  inbox: {
    ...plain,
    image: 'all-in-one',
    command: ['node', 'src/inbox/main.ts'],
    ports: { http: 8_080, smtp: 1_025 },
    probes: { live: '/messages', ready: '/messages', host: 'localhost' },
  },
}
/** The users of the demo provider and of the inbox. */
const usersOfOthers: Readonly<Record<string, ServiceName>> = { demo: 'llm-router', inbox: 'notifier' }
const extrasOf = (service: ServiceName): string[] =>
  Object.entries(usersOfOthers).flatMap(([extra, user]) => (user === service ? [extra] : []))

/** All Deployments of the chart by name, derived from the service definitions. */
export function chartEntries(): Readonly<Record<string, ChartEntry>> {
  const stages = stopStages(allServices)
  const entries = {
    ...Object.fromEntries(allServices.map((service) => [service.name, ofService(service, stages)])),
    ...others,
  }
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)))
}
