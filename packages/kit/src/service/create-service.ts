import { traceRequests } from '../observability/tracing/spans.ts'
import { withDeadLetters } from './dead-letters.ts'
import type { ServiceDefinition, ServiceDeps } from './define-service.ts'
import type { DeadLetterStore } from './engine.ts'
import type { Service } from './service.ts'

/** Makes a service of its definition, whose requests are traced; one with subscriptions also serves the routes by which admins look after its dead letters. */
export async function createService(definition: ServiceDefinition, deps: ServiceDeps): Promise<Service> {
  const { name, isEntrance } = definition
  const service = await definition.create(deps)
  if (definition.engines.bus === undefined || definition.subscriptions === undefined) {
    return { ...service, handler: traceRequests(name, service.handler, isEntrance) }
  }
  const bus = deps.engines.bus as DeadLetterStore
  const subscriptions = await definition.subscriptions(deps)
  const handler = withDeadLetters({ ...deps, service: name, bus, subscriptions }, service.handler)
  return { ...service, handler: traceRequests(name, handler, isEntrance) }
}
