import type { Readiness } from '@parley/contracts'
import express, { type Express, type IRouter, type RequestHandler } from 'express'
import { AppError, notFound, retrySoon } from './app-error.ts'
import { answerErrors } from './error-answer.ts'
import { type IdentityCodec, identityHeader } from './identity.ts'
import { type Registry, timeRequests } from './metrics.ts'
import { createReadiness, type ReadinessDeps } from './readiness.ts'
import { refuseEncodedBody } from './request-body.ts'

/** What every service's app is made of. */
export interface HttpAppDeps extends ReadinessDeps {
  readonly identity: IdentityCodec
  readonly metrics: Registry
  /** True once the service drains. */
  readonly draining: () => boolean
}

/** The Express app of a service behind the gateway: health, metrics, identity, then the routes, then errors in the documented shape. */
export function createHttpApp(deps: HttpAppDeps, addRoutes: (router: IRouter) => void): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(timeRequests(deps.metrics))
  addHealthRoutes(app, deps)
  app.get('/metrics', sendMetrics(deps.metrics))
  app.use(readIdentity(deps.identity), refuseEncodedBody)
  addRoutes(app)
  app.use(() => {
    throw notFound()
  })
  app.use(answerErrors(deps.log))
  return app
}

/** `/healthz`, which asks nobody, and `/readyz`. */
export function addHealthRoutes(app: Express, deps: ReadinessDeps & Pick<HttpAppDeps, 'draining'>): void {
  const readiness = createReadiness(deps)
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    const now = deps.draining() ? drainingNow : await readiness()
    if (now.status === 'ready') response.json(now)
    else response.status(503).set(retrySoon).json(now)
  })
}

const drainingNow: Readiness = { status: 'unready', failed: ['draining'] }

const sendMetrics =
  (metrics: Registry): RequestHandler =>
  async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics())
  }

const readIdentity =
  (codec: IdentityCodec): RequestHandler =>
  (request, response, next) => {
    const header = request.headers[identityHeader]
    const principal = codec.verify(typeof header === 'string' ? header : undefined)
    if (principal === undefined) throw new AppError('unauthenticated', 'Not authenticated')
    response.locals.principal = principal
    response.setHeader('x-request-id', principal.requestId)
    next()
  }
