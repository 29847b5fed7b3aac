import { allServices } from '@parley/all-in-one/services'
import type { ServiceName } from '@parley/contracts'
import { processSchema, type ServiceDefinition, stopStages, urlVariable } from '@parley/kit'
import { z } from 'zod'

/** What the chart's one template set knows of a Deployment, beside the values. */
export interface ChartEntry {
  /** Last part of its image's name. */
  readonly image: string
  /** Instead of the image's own command. */
  readonly command?: readonly string[]
  /** Numeric user of the image. */
  readonly user: number
  /** Ports by name; `http` is the one that others call. */
  readonly ports: Readonly<Record<string, number>>
  /** Paths of the probes on `http`, and the host that they must name; by default the pod's address. */
  readonly probes: { readonly live: string; readonly ready: string; readonly host?: string }
  /** Entries whose addresses it is given, by the name of the variable. */
  readonly addresses: Readonly<Record<string, string>>
  /** Entries that it may connect to. */
  readonly reaches: readonly string[]
  /** Entries that may connect to it. */
  readonly callers: readonly string[]
  readonly engines: readonly string[]
  readonly reachesOutside: boolean
  /** It has a command `migrate`. */
  readonly migrates: boolean
  /** Position among the stages in which all of them stop; those of stage 0 first. */
  readonly stopStage: number
  /** Variables that are no secrets, by which the values may set it up. */
  readonly settings: readonly string[]
  /** Variables that come from Secrets alone, as files. */
  readonly secrets: readonly string[]
  /** Of `secrets`, those without which it does not start. */
  readonly required: readonly string[]
  /** Gauge of what each of its pods holds open, by which it may be scaled. */
  readonly openMetric?: string
}

type Own = Omit<ChartEntry, 'callers'>

/** Names by which variables hold what nobody else may read. */
const isSecret = (name: string): boolean =>
  /(_API_KEY|_PRIVATE_KEY|_PUBLIC_KEYS|_SECRETS?|_PASSWORD)$|^(POSTGRES|MONGO|REDIS|SMTP)_URL$/.test(name)

/** Streams and sockets last, and cost little of the processor while they do. */
const openMetrics: Partial<Record<ServiceName, string>> = {
  chat: 'chat_generations_running',
  gateway: 'gateway_open_streams',
  realtime: 'realtime_connections',
}

/** Where Prometheus finds the gateway's figures: nobody else may ask its own port for them. */
const metricsPort = 9_090

function ofService(definition: ServiceDefinition, stages: readonly (readonly ServiceName[])[]): Own {
  const { name, calls, engines } = definition
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
} satisfies Omit<Own, 'image'>

/** What is deployed beside the services: the SPA's server and the edge, both nginx, and what a trial needs. */
const others: Readonly<Record<string, Own>> = {
  web: { ...plain, image: 'web', user: 101, settings: ['API_URL', 'STRICT_TRANSPORT_SECURITY'] },
  edge: { ...plain, image: 'nginx', user: 101, reaches: ['gateway', 'web'] },
  demo: { ...plain, image: 'all-in-one', command: ['node', 'src/demo/main.ts'] },
  inbox: {
    ...plain,
    image: 'all-in-one',
    command: ['node', 'src/inbox/main.ts'],
    ports: { http: 8_080, smtp: 1_025 },
    probes: { live: '/messages', ready: '/messages', host: 'localhost' },
  },
}
/** Who uses the demo provider and the inbox. */
const usersOfOthers: Readonly<Record<string, ServiceName>> = { demo: 'llm-router', inbox: 'notifier' }
const extrasOf = (service: ServiceName): string[] =>
  Object.entries(usersOfOthers).flatMap(([extra, user]) => (user === service ? [extra] : []))

/** Every Deployment of the chart by its name, derived from the services' definitions. */
export function chartEntries(): Readonly<Record<string, ChartEntry>> {
  const stages = stopStages(allServices)
  const own: Record<string, Own> = {
    ...Object.fromEntries(allServices.map((service) => [service.name, ofService(service, stages)])),
    ...others,
  }
  const names = Object.keys(own).sort()
  return Object.fromEntries(
    names.map((name) => {
      const callers = names.filter((caller) => own[caller]?.reaches.includes(name))
      return [name, { ...(own[name] as Own), callers }]
    }),
  )
}
