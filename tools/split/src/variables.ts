import { demoVariables } from '@parley/all-in-one/demo'
import { services } from '@parley/all-in-one/services'
import { type ServiceName, serviceNames } from '@parley/contracts'
import { compileCache } from '@parley/engines/compile-cache'
import { type IdentityVariables, processSchema, urlVariable } from '@parley/kit'
import type { DataDirectory, SplitEngines } from './data-directory.ts'

/** The input for the environments of all services of a system. */
export interface Environment {
  readonly engines: SplitEngines
  readonly data: DataDirectory
  /** The keys for identity statements. */
  readonly identity: IdentityVariables
  /** URLs of the services' balancers. */
  readonly urls: Readonly<Record<ServiceName, string>>
  /** The public URL. */
  readonly publicUrl: string
  readonly smtpUrl: string
  /** Base URL of the demo, which answers for providers not set in `given`. */
  readonly demoUrl: string
  /** Further variables, which take precedence. */
  readonly given: Readonly<Record<string, string>>
}

/** The environment of a service's process: only the variables of its definition. */
export function variablesOf(service: ServiceName, port: number, environment: Environment): Record<string, string> {
  const { engines, data, given } = environment
  const isGiven = (id: string): boolean =>
    ['API_KEY', 'BASE_URL'].some((part) => `${id.toUpperCase()}_${part}` in given)
  const all = {
    HOST: '127.0.0.1',
    PORT: String(port),
    ...environment.identity[service],
    ...data.secrets,
    POSTGRES_URL: data.postgresUrlOf(service) ?? '',
    MONGO_URL: data.mongoUrlOf(service),
    KAFKA_BROKERS: engines.kafka,
    KAFKA_TOPIC_PREFIX: data.topicPrefix,
    REDIS_URL: engines.redis,
    REDIS_PREFIX: data.keyPrefix,
    ...Object.fromEntries(serviceNames.map((name) => [urlVariable(name), environment.urls[name]])),
    PUBLIC_URL: environment.publicUrl,
    // Trusts the ingress, which knows the client's address.
    TRUSTED_PROXIES: '127.0.0.1/32',
    SMTP_URL: environment.smtpUrl,
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
    ...demoVariables(isGiven, environment.demoUrl),
    ...given,
  }
  const { shape } = processSchema(services[service])
  return {
    NODE_COMPILE_CACHE: compileCache,
    ...Object.fromEntries(Object.entries(all).filter(([name]) => name in shape)),
  }
}
