import type { RequestListener } from 'node:http'
import { authRoutes } from '@parley/contracts'
import {
  AppError,
  addHealthRoutes,
  answerErrors,
  createOwnAddresses,
  createRequestTimer,
  notFound,
  type OwnAddresses,
  type RequestCounts,
  type RequestTimer,
  refuseEncoding,
  requestId,
  servedPath,
} from '@parley/kit'
import express, { type Express, type RequestHandler } from 'express'
import { type Admit, createAdmission } from './admission.ts'
import type { GatewayServiceDeps } from './deps.ts'
import { compressAnswer } from './http/compression.ts'
import { neverStored, securityHeaders, setHeaders } from './http/headers.ts'
import { type OpenApiScope, openApiDocument } from './http/openapi.ts'
import { checkOrigin } from './http/origin.ts'
import type { Relay } from './http/relay.ts'
import { answerByServices } from './http/relayed-routes.ts'
import { refuseAmbiguous } from './http/request-smuggling.ts'
import { sendSharePage } from './http/share-page.ts'
import type { SocketRelay } from './http/socket-relay.ts'
import { serveWebApp } from './http/web-app.ts'
import type { IdentifyDeps } from './identity/identify.ts'
import type { OpenStreams } from './open-streams.ts'
import { addOperationsRoutes } from './operations/routes.ts'
import { createRouteTable, type Match } from './route-table.ts'

/** The app's own parts, in addition to the service's dependencies. */
export interface AppDeps extends GatewayServiceDeps, IdentifyDeps {
  readonly streams: OpenStreams
  readonly counts: RequestCounts
  readonly relay: Relay
  readonly sockets: SocketRelay
  readonly draining: () => boolean
}

/** Shared by both paths of a request. */
interface Shared {
  readonly own: OwnAddresses
  readonly time: RequestTimer
  readonly admit: Admit
}

/** Matches a path under `/api` against the route table: routes of services are relayed, all other requests go to Express. */
export function createApp(deps: AppDeps): RequestListener {
  const own = createOwnAddresses(deps.publicUrl, deps.extraOrigins)
  const shared = { own, time: createRequestTimer(deps.metrics), admit: createAdmission(deps) }
  const match = createRouteTable()
  const answerByService = answerByServices({ ...deps, ...shared })
  const app = createOwnApp(deps, shared, match)
  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const found = path.startsWith('/api/') ? match(request.method ?? '', path.slice('/api'.length)) : undefined
    if (found !== undefined && 'route' in found && found.route.service !== 'gateway')
      void answerByService(found.route, request, response)
    else app(request, response)
  }
}

/** Routes answered by the gateway itself, in the order in which a request passes them; everything unknown is refused here, too. */
function createOwnApp(
  deps: AppDeps,
  { own, time, admit }: Shared,
  match: (method: string, path: string) => Match,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(requestId, securityHeaders(deps.publicUrl), (request, response, next) => {
    time(request, response)
    compressAnswer(request, response)
    refuseAmbiguous(request)
    refuseEncoding(request)
    next()
  })
  // Auth is optional: without it the gateway still serves callers it has cached, and answers the others more clearly than a load balancer would.
  addHealthRoutes(app, { ...deps, checks: {}, optional: { auth: () => deps.client.call(authRoutes.jwks) } })
  app.use(({ headers }, _response, next) => {
    // After the probes, which address a replica by IP. Against DNS rebinding: a foreign page could point its own name here and pass as ours.
    own.refuseForeignHost(headers)
    next()
  })
  app.use(deps.sockets.handler)
  app.use('/api', (_request, response, next) => {
    setHeaders(response, neverStored)
    next()
  })
  app.use('/api', checkOrigin(own))
  app.get('/api/openapi.json', sendOpenApi('everything', deps.publicUrl))
  app.get('/api/v1/openapi.json', sendOpenApi('programs', deps.publicUrl))
  // Services have these paths on their own ports; the SPA's page must not answer here.
  app.use(['/metrics', '/internal'], () => {
    throw notFound()
  })
  app.use(toOwnRoute(match, admit))
  addOperationsRoutes(app, deps)
  app.get('/s/:id', sendSharePage(deps))
  if (deps.webDir !== undefined) app.use(serveWebApp(deps.webDir))
  app.use(() => {
    throw notFound()
  })
  app.use(answerErrors(deps.log))
  return app
}

/** Programs with a wrong base URL call these. */
const mistaken = /^\/(api\/v1\/)?v1(\/|$)/
const rightBase =
  'Not found. The base URL ends in /api/v1, or in /api for Anthropic’s clients, which add /v1 to it themselves.'

/** Admits callers of the gateway's own routes under `/api`; passes other paths on. */
function toOwnRoute(match: (method: string, path: string) => Match, admit: Admit): RequestHandler {
  return async (request, response, next) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (mistaken.test(path)) throw notFound(rightBase)
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
    const { caller, headers } = await admit(found.route, request)
    setHeaders(response, headers)
    response.locals.principal = caller.principal
    next()
  }
}

function sendOpenApi(scope: OpenApiScope, publicUrl: string): RequestHandler {
  let document: string | undefined
  return (_request, response) => {
    document ??= JSON.stringify(openApiDocument(scope, new URL(publicUrl).origin))
    response.type('json').send(document)
  }
}
