import type { Principal, Readiness } from '@parley/contracts'
import express, { type Express, type IRouter } from 'express'
import { AppError, notFound, retrySoon } from '../errors/app-error.ts'
import { answerErrors } from '../errors/error-answer.ts'
import { type IdentityCodec, identityHeader } from '../identity/identity.ts'
import type { Logger } from '../observability/log.ts'
import { createRequestTimer, measureNow, type Registry } from '../observability/metrics.ts'
import { createReadiness, type ReadinessDeps } from '../service/readiness.ts'
import { describeReplica, type ReplicaDeps } from '../service/replica.ts'
import { refuseEncoding } from './request-body.ts'
import { requestId } from './request-id.ts'

/** What an app that only other services call is made of. */
export interface InternalAppDeps {
  readonly identity: IdentityCodec
  readonly log: Logger
}

export interface HttpAppDeps extends ReadinessDeps, ReplicaDeps, InternalAppDeps {
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
  const time = createRequestTimer(deps.metrics)
  app.use(requestId, (request, response, next) => {
    time(request, response)
    next()
  })
  const describe = describeReplica(deps)
  if (deps.outbox) measureOutbox(deps.metrics, describe)
  addHealthRoutes(app, deps, describe)
  app.get('/metrics', async (_request, response) => {
    response.type(deps.metrics.contentType).send(await deps.metrics.metrics())
  })
  serveIdentified(app, deps, addRoutes)
  return app
}

function measureOutbox(metrics: Registry, describe: ReturnType<typeof describeReplica>): void {
  const help = 'Seconds that the oldest event waits to be published; 0 when none does'
  measureNow(metrics, { name: 'event_outbox_oldest_seconds', help }, async () => {
    const { outbox } = await describe()
    if (outbox === undefined) return Number.NaN
    return outbox.oldestAt === null ? 0 : Math.max(0, Date.now() - Date.parse(outbox.oldestAt)) / 1_000
  })
}

/** An app beside a service's own, for routes that other services call. */
export function createInternalApp(deps: InternalAppDeps, addRoutes: (router: IRouter) => void): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(requestId)
  serveIdentified(app, deps, addRoutes)
  return app
}

function serveIdentified(app: Express, deps: InternalAppDeps, addRoutes: (router: IRouter) => void): void {
  app.use((request, response, next) => {
    response.locals.principal = principalOf(deps.identity, request.headers[identityHeader])
    refuseEncoding(request)
    next()
  })
  addRoutes(app)
  app.use(() => {
    throw notFound()
  })
  app.use(answerErrors(deps.log))
}

/** `/healthz`, which asks nobody, and `/readyz`. @param describe what is told beside the readiness; nothing by default */
export function addHealthRoutes(
  app: Express,
  deps: ReadinessDeps & Pick<HttpAppDeps, 'draining'>,
  describe: ReturnType<typeof describeReplica> = async () => ({}),
): void {
  const readiness = createReadiness(deps)
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    const [state, figures] = await Promise.all([deps.draining() ? drainingNow : readiness(), describe()])
    const now = { ...state, ...figures }
    if (now.status === 'ready') response.json(now)
    else response.status(503).set(retrySoon).json(now)
  })
}

const drainingNow: Readiness = { status: 'unready', failed: ['draining'] }

/** @throws AppError unauthenticated */
function principalOf(codec: IdentityCodec, header: string | string[] | undefined): Principal {
  const principal = codec.verify(typeof header === 'string' ? header : undefined)
  if (principal === undefined) throw new AppError('unauthenticated', 'Not authenticated')
  return principal
}
