import type { Readiness } from '@parley/contracts'
import express, { type Express, type IRouter, type RequestHandler } from 'express'
import { AppError, notFound } from './app-error.ts'
import { answerErrors } from './error-answer.ts'
import { type IdentityCodec, identityHeader } from './identity.ts'
import type { Logger } from './log.ts'
import { type Registry, timeRequests } from './metrics.ts'

/** Rejects when an engine cannot be reached; what it resolves to may tell how far its consumers lag behind. */
export type HealthCheck = () => Promise<unknown>

/** What every service's app is made of. */
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
    const readiness = deps.draining() ? drainingNow : await checkEngines(deps.checks)
    response.status(readiness.status === 'ready' ? 200 : 503).json(readiness)
  })
}

const drainingNow: Readiness = { status: 'unready', failed: ['draining'] }

const sendMetrics =
  (metrics: Registry): RequestHandler =>
  async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics())
  }

async function checkEngines(checks: HttpAppDeps['checks']): Promise<Readiness> {
  const engines = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return { name, ready: true, ...lagIn(await check()) }
      } catch {
        // Why is the engine's own to log; here it only counts that it does not answer.
        return { name, ready: false }
      }
    }),
  )
  const failed = engines.filter(({ ready }) => !ready).map(({ name }) => name)
  return { status: failed.length === 0 ? 'ready' : 'unready', failed, engines }
}

const lagIn = (result: unknown): { lag?: Record<string, number> } =>
  typeof result === 'object' && result !== null && 'lag' in result ? { lag: result.lag as Record<string, number> } : {}

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
