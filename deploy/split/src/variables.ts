import { join } from 'node:path'
import { type ProviderId, providerIds, type ServiceName } from '@parley/contracts'
import type { Home, SplitEngines, TableService } from './home.ts'

/** Everything that the services of one system are told. */
export interface Surroundings {
  readonly engines: SplitEngines
  readonly home: Home
  /** Address of each service's balancer. */
  readonly urls: Readonly<Record<ServiceName, string>>
  /** Where people reach the system. */
  readonly publicUrl: string
  readonly smtpUrl: string
  /** Base URL of the demo, which answers for every provider that `given` does not name. */
  readonly demoUrl: string
  /** Further variables, for every service but those that are one service's alone; they win. */
  readonly given: Readonly<Record<string, string>>
}

const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/parley-compile')

type Variables = Record<string, string>

/** The variables of one service's process: its own and no others. */
export function variablesOf(service: ServiceName, port: number, surroundings: Surroundings): Variables {
  const { home, given } = surroundings
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_SECRET: home.internalSecret,
    // Compiling is half of a start, and all replicas compile the same.
    NODE_COMPILE_CACHE: compileCache,
    ...ownVariables[service](surroundings),
    ...Object.fromEntries(Object.entries(given).filter(([name]) => (ownerOf(name) ?? service) === service)),
  }
}

/** The one service that a variable is for; others must not even see it. */
function ownerOf(variable: string): ServiceName | undefined {
  if (/^(ADMIN|OIDC)_/.test(variable)) return 'auth'
  if (/^(EXA|QUOTES)_/.test(variable)) return 'chat'
  return /_(API_KEY|BASE_URL|NOTICE)$/.test(variable) ? 'llm-router' : undefined
}

const ownVariables: Readonly<Record<ServiceName, (surroundings: Surroundings) => Variables>> = {
  gateway: (all) => ({
    ...redis(all),
    ...urls(all, 'auth', 'chat', 'llm-router', 'billing', 'notifier', 'realtime'),
    PUBLIC_URL: all.publicUrl,
    // The front door, which says who really calls.
    TRUSTED_PROXIES: '127.0.0.1/32',
  }),
  auth: (all) => ({
    ...postgres(all, 'auth'),
    ...kafka(all),
    ...redis(all),
    ...urls(all, 'billing'),
    PUBLIC_URL: all.publicUrl,
  }),
  chat: (all) => ({
    MONGO_URL: all.home.mongoUrl,
    ...kafka(all),
    ...redis(all),
    ...urls(all, 'auth', 'llm-router', 'billing'),
  }),
  'llm-router': (all) => ({
    ...postgres(all, 'llm-router'),
    ...kafka(all),
    ...redis(all),
    ...urls(all, 'auth'),
    ...providers(all),
  }),
  billing: (all) => ({ ...postgres(all, 'billing'), ...kafka(all), ...urls(all, 'auth') }),
  notifier: (all) => ({
    ...postgres(all, 'notifier'),
    ...kafka(all),
    ...urls(all, 'auth'),
    PUBLIC_URL: all.publicUrl,
    SMTP_URL: all.smtpUrl,
  }),
  realtime: (all) => ({
    ...kafka(all),
    ...redis(all),
    ...urls(all, 'auth', 'chat', 'billing'),
    PUBLIC_URL: all.publicUrl,
  }),
}

const postgres = ({ home }: Surroundings, service: TableService): Variables => ({
  POSTGRES_URL: home.postgresUrlOf(service),
})
const kafka = ({ engines, home }: Surroundings): Variables => ({
  KAFKA_BROKERS: engines.kafka,
  KAFKA_TOPIC_PREFIX: home.topicPrefix,
})
const redis = ({ engines, home }: Surroundings): Variables => ({
  REDIS_URL: engines.redis,
  REDIS_PREFIX: home.keyPrefix,
})
const urls = (all: Surroundings, ...services: ServiceName[]): Variables =>
  Object.fromEntries(services.map((service) => [`${variablePrefix(service)}_URL`, all.urls[service]]))

/** The demo in the place of every provider that is not given. */
function providers({ demoUrl, given }: Surroundings): Variables {
  const isGiven = (id: ProviderId): boolean =>
    ['API_KEY', 'BASE_URL'].some((part) => `${variablePrefix(id)}_${part}` in given)
  const demo = providerIds.filter((id) => !isGiven(id)).map(variablePrefix)
  return Object.fromEntries([
    ['ALLOWED_PRIVATE_HOSTS', '127.0.0.1,localhost'],
    ...demo.flatMap((id) => [
      [`${id}_BASE_URL`, demoUrl],
      [`${id}_API_KEY`, 'none'],
      [`${id}_NOTICE`, 'Demo answers'],
    ]),
  ])
}

const variablePrefix = (name: ServiceName | ProviderId): string => name.toUpperCase().replaceAll('-', '_')
