import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readiness } from '@parley/contracts'
import { retryWithBackoff } from '../async/retry-with-backoff.ts'
import { retrySoon, unavailable } from '../errors/app-error.ts'
import { writeError } from '../errors/error-answer.ts'
import { chooseRequestId, requestIdHeaders } from '../http/request-id.ts'
import type { Upgrades } from '../http/upgrades.ts'
import type { Logger } from '../observability/log.ts'
import type { HealthCheck } from './readiness.ts'
import type { Service } from './service.ts'

/** An engine may take this long to answer while a service waits for it. Milliseconds. */
const engineLimitMs = 10_000

export interface StartUpDeps {
  readonly service: Service
  /** Engines that must answer before it is started, by name. */
  readonly required: Readonly<Record<string, HealthCheck>>
  readonly log: Logger
}

/**
 * A service that listens before it has started. Waits for anything that is missing or refuses permanently: the process stays up and reports what it
 * lacks.
 */
export function createStartUp({ service, required, log }: StartUpDeps) {
  const missing = new Set(Object.keys(required))
  /** Of what failed so far, by name: why at the last try. */
  const reasons = new Map<string, string>()
  let started = false
  let stopped = false
  const readiness = (): Readiness => {
    const failed = stopped ? ['draining'] : [...missing, 'start']
    const known = failed.flatMap((name) => {
      const reason = reasons.get(name)
      return reason === undefined ? [] : [[name, reason] as const]
    })
    return {
      status: 'unready',
      failed,
      ...(known.length > 0 && { reasons: Object.fromEntries(known) }),
      engines: Object.keys(required).map((name) => ({ name, ready: !missing.has(name) })),
    }
  }
  const attempt = (what: string, act: HealthCheck, signal: AbortSignal, limitMs?: number): Promise<boolean> => {
    const failed = (reason: string): void => void reasons.set(what, reason)
    return retryWithBackoff({ what, act, failed, log, signal, ...(limitMs !== undefined && { limitMs }) })
  }
  const waitFor = async ([name, act]: [string, HealthCheck], signal: AbortSignal): Promise<void> => {
    if (await attempt(name, act, signal, engineLimitMs)) missing.delete(name)
  }
  return {
    /** Health from the first moment; the service's own answers once it has started, 503 before. */
    handler(request: IncomingMessage, response: ServerResponse): void {
      const path = request.url?.split('?', 1)[0]
      if (started || path === '/healthz') service.handler(request, response)
      else if (path === '/readyz') answer(response, readiness())
      else refuse(request, response)
    },
    /** The service's own, once it has started; asked for before, they are refused as any other request. */
    upgrades: {
      takes: (request) => started && (service.upgrades?.takes(request) ?? false),
      handle: (request, connection, head) => service.upgrades?.handle(request, connection, head),
    } satisfies Upgrades,
    /** Waits for the engines, then starts the service, for as long as it takes. Resolves to whether it started, which only `signal` prevents. */
    async run(signal: AbortSignal): Promise<boolean> {
      signal.addEventListener('abort', () => {
        stopped = true
      })
      await Promise.all(Object.entries(required).map((dependency) => waitFor(dependency, signal)))
      // Without a limit: migrating a large table takes its time, and so does waiting for another replica to do it.
      started = await attempt('start', () => service.start(), signal)
      return started
    },
  }
}

function answer(response: ServerResponse, body: Readiness): void {
  response.writeHead(503, { ...neverStored, 'content-type': 'application/json; charset=utf-8', ...retrySoon })
  response.end(JSON.stringify(body))
}

/** In the form of the path's callers, as any other error. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const requestId = chooseRequestId(request)
  const path = request.url?.split('?', 1)[0] ?? ''
  for (const name of requestIdHeaders(path)) response.setHeader(name, requestId)
  for (const [name, value] of Object.entries(neverStored)) response.setHeader(name, value)
  writeError(unavailable(), request, response)
}

const neverStored = { 'cache-control': 'no-store' }
