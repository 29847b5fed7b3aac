import type { RequestListener } from 'node:http'
import { addCertificateRoute } from '../certificates/certificate-route.ts'
import { engineServersOf } from '../certificates/tls-servers.ts'
import { createInternalApp } from '../http/http-app.ts'
import { traceRequests } from '../observability/tracing/spans.ts'
import { addDeadLetterRoutes } from './dead-letters.ts'
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
  const handler = name === 'gateway' ? service.handler : await withCommonRoutes(definition, deps, service.handler)
  return { ...service, handler: traceRequests(name, handler, isEntrance) }
}

const commonPath = /^\/internal\/(certificates|dead-letters)\b/

/** Serves the routes that all services have in front of a service's own handler, which gets all else. */
async function withCommonRoutes(
  { name, engines, servers, subscriptions }: ServiceDefinition,
  deps: ServiceDeps,
  own: RequestListener,
): Promise<RequestListener> {
  const subscribed = engines.bus && (await subscriptions?.(deps))
  const app = createInternalApp(deps, (router) => {
    addCertificateRoute(router, name, [...engineServersOf(deps.config), ...(servers?.(deps.config) ?? [])])
    if (subscribed) addDeadLetterRoutes(router, name, deps.engines.bus as DeadLetterStore, subscribed)
  })
  return (request, response) => (commonPath.test(request.url ?? '') ? app : own)(request, response)
}
