import { engineServersOf } from '../certificates/tls-servers.ts'
import { withCertificates } from '../certificates/with-certificates.ts'
import { traceRequests } from '../observability/tracing/spans.ts'
import { withDeadLetters } from './dead-letters.ts'
import type { ServiceDefinition, ServiceDeps } from './define-service.ts'
import type { DeadLetterStore } from './engine.ts'
import type { Service } from './service.ts'

/**
 * Makes a service of its definition, whose requests are traced; one behind the gateway also serves the routes by which admins look at the certificates
 * of the servers that it reaches and, if it has subscriptions, look after its dead letters.
 */
export async function createService(definition: ServiceDefinition, deps: ServiceDeps): Promise<Service> {
  const { name, isEntrance } = definition
  const service = await definition.create(deps)
  const own = await withDeadLettersOf(definition, deps, service)
  const servers = [...engineServersOf(deps.config), ...(definition.servers?.(deps.config) ?? [])]
  const handler = name === 'gateway' ? own : withCertificates({ ...deps, service: name, servers }, own)
  return { ...service, handler: traceRequests(name, handler, isEntrance) }
}

async function withDeadLettersOf(definition: ServiceDefinition, deps: ServiceDeps, { handler }: Service) {
  if (definition.engines.bus === undefined || definition.subscriptions === undefined) return handler
  const bus = deps.engines.bus as DeadLetterStore
  const subscriptions = await definition.subscriptions(deps)
  return withDeadLetters({ ...deps, service: definition.name, bus, subscriptions }, handler)
}
