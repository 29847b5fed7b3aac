import { authRoutes, type Route } from '@parley/contracts'
import {
  AppError,
  addHealthRoutes,
  answerErrors,
  authorise,
  bodyLimitOf,
  createOwnAddresses,
  measureNow,
  notFound,
  type RequestCounts,
  refuseEncodedBody,
  requestId,
  servedPath,
  timeRequests,
  tooLargeBody,
} from '@parley/kit'
import express, { type Express, type RequestHandler } from 'express'
import { watchCallers } from './caller-watch.ts'
import type { GatewayServiceDeps } from './deps.ts'
import { neverStored, securityHeaders } from './http/headers.ts'
import { type OpenApiScope, openApiDocument } from './http/openapi.ts'
import { checkHost, checkOrigin } from './http/origin.ts'
import { takeRequest } from './http/rate-limit.ts'
import type { Relay, Relayed } from './http/relay.ts'
import { rejectAmbiguousRequests } from './http/request-smuggling.ts'
import { sendSharePage } from './http/share-page.ts'
import type { SocketRelay } from './http/socket-relay.ts'
import { serveWebApp } from './http/web-app.ts'
import { type IdentifyDeps, identify } from './identity/identify.ts'
import type { OpenStreams } from './open-streams.ts'
import { addOperationsRoutes } from './operations/routes.ts'
import { createRouteTable } from './route-table.ts'

/** What the app is made of beyond what the service is handed. */
export interface AppDeps extends GatewayServiceDeps, IdentifyDeps {
  readonly streams: OpenStreams
  readonly counts: RequestCounts
  readonly relay: Relay
  readonly sockets: SocketRelay
  readonly draining: () => boolean
}

/** The gateway's one Express app, in the order in which a request meets it. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  const own = createOwnAddresses(deps.publicUrl, deps.extraOrigins)
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(
    requestId,
    securityHeaders(deps.publicUrl),
    timeRequests(deps.metrics),
    rejectAmbiguousRequests,
    refuseEncodedBody,
  )
  // Without auth it still serves those it knows, and says so to all others better than whoever stands in front of it could.
  addHealthRoutes(app, { ...deps, checks: {}, optional: { auth: () => deps.client.call(authRoutes.jwks) } })
  // Behind the probes, which call a replica by its address.
  app.use(checkHost(own))
  app.use(deps.sockets.handler)
  app.use('/api', neverStored, checkOrigin(own))
  app.get('/api/openapi.json', sendOpenApi('everything', deps.publicUrl))
  app.get('/api/v1/openapi.json', sendOpenApi('programs', deps.publicUrl))
  // Services have these on their own ports, and the app's page must not answer in their place.
  app.use(['/metrics', '/internal'], () => {
    throw notFound()
  })
  app.use(toService(deps))
  addOperationsRoutes(app, deps)
  app.get('/s/:id', sendSharePage(deps))
  if (deps.webDir !== undefined) app.use(serveWebApp(deps.webDir))
  app.use(() => {
    throw notFound()
  })
  app.use(answerErrors(deps.log))
  return app
}

/** Finds the route of a path under `/api` and lets the caller through to its service; other paths are passed over. */
function toService(deps: AppDeps): RequestHandler {
  const match = createRouteTable()
  const noteCaller = watchCallers(deps)
  let openStreams = 0
  const help = 'Streamed answers that are being relayed'
  measureNow(deps.metrics, { name: 'gateway_open_streams', help }, () => openStreams)
  return async (request, response, next) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!path.startsWith('/api/')) {
      next(/^\/+api(?![\w-])/i.test(path) ? notFound() : undefined)
      return
    }
    const found = match(request.method, path.slice('/api'.length))
    if (found === undefined) throw notFound()
    if ('allowed' in found) {
      response.setHeader('allow', found.allowed.join(', '))
      throw new AppError('method_not_allowed', 'This isn’t allowed here')
    }
    response.locals.route = { path: servedPath(found.route) }
    checkLength(found.route, request.headers['content-length'])
    noteCaller(request)
    const caller = await identify(deps, found.route, request)
    const { principal } = caller
    authorise(found.route, principal)
    if (found.route.limited) await takeRequest(deps, found.route.limited, principal, response)
    if (found.route.service === 'gateway') {
      response.locals.principal = principal
      next()
      return
    }
    if (found.route.stream) {
      deps.streams.add(caller, response, found.route)
      openStreams += 1
      response.once('close', () => {
        openStreams -= 1
      })
    }
    response.locals.relayed = { route: found.route, principal } satisfies Relayed
    await deps.relay.handle(request, response, next)
  }
}

function checkLength(route: Route, header: string | undefined): void {
  if (Number(header ?? 0) > bodyLimitOf(route)) throw tooLargeBody(route)
}

function sendOpenApi(scope: OpenApiScope, publicUrl: string): RequestHandler {
  let document: string | undefined
  return (_request, response) => {
    document ??= JSON.stringify(openApiDocument(scope, new URL(publicUrl).origin))
    response.type('json').send(document)
  }
}
