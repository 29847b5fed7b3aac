import express, { type Express, type IRouter, type RequestHandler } from 'express'
import { AppError, notFound } from './app-error.ts'
import { answerErrors } from './error-answer.ts'
import { type IdentityCodec, identityHeader } from './identity.ts'
import type { Logger } from './log.ts'
import { type Registry, timeRequests } from './metrics.ts'

/** Rejects when an engine cannot be reached. */
export type HealthCheck = () => Promise<unknown>

export interface HttpAppDeps {
  readonly log: Logger
  readonly identity: IdentityCodec
  readonly metrics: Registry
  /** Engines that must answer for `/readyz`, by name. */
  readonly checks: Readonly<Record<string, HealthCheck>>
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
  app.use(readIdentity(deps.identity))
  addRoutes(app)
  app.use(() => {
    throw notFound()
  })
  app.use(answerErrors(deps.log))
  return app
}

/** `/healthz` and `/readyz`. */
export function addHealthRoutes(app: Express, deps: Pick<HttpAppDeps, 'checks' | 'draining'>): void {
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    const failed = deps.draining() ? ['draining'] : await failedChecks(deps.checks)
    response.status(failed.length === 0 ? 200 : 503).json({ status: failed.length === 0 ? 'ready' : 'unready', failed })
  })
}

const sendMetrics =
  (metrics: Registry): RequestHandler =>
  async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics())
  }

async function failedChecks(checks: HttpAppDeps['checks']): Promise<string[]> {
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
  return Object.keys(checks).filter((_name, index) => results[index]?.status === 'rejected')
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
