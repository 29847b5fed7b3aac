import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeout } from '../async/with-timeout.ts'
import { reasonOf } from '../errors/reason-of.ts'
import { type HttpListener, listen } from '../http/http-listener.ts'

export type { Registry } from 'prom-client'

/** Milliseconds between two looks at the event loop, each of which wakes an idle process; part of the delays that are reported. */
const eventLoopMonitoringPrecision = 50

/** A registry of one service's own; `runtime` adds the process's figures, which one service per process reports. */
export function createMetrics(service: string, runtime: boolean): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  if (runtime) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision })
  return registry
}

/** The metrics of several services of one process as one text; the label `service` tells them apart. */
export async function mergedMetrics(registries: readonly Registry[]): Promise<string> {
  const read = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))
  return await AggregatorRegistry.aggregate(read).metrics()
}

/** Serves metrics on a port of their own. @throws when the address cannot be had */
export const serveMetrics = (
  read: () => Promise<string>,
  address: { readonly host: string; readonly port: number },
): Promise<HttpListener> =>
  listen((_request, response) => {
    read().then(
      (text) => response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE).end(text),
      (error: unknown) => response.writeHead(500).end(reasonOf(error)),
    )
  }, address)

/** A figure that takes longer is unknown. Milliseconds. */
const limitMs = 2_000

/** A gauge whose value is read when the metrics are scraped; NaN while it cannot be read, so that all others are still reported. */
export function measureNow(
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
  read: () => number | Promise<number>,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const reading = withTimeout(limitMs, Promise.resolve().then(read))
      // Readiness names the engine that is unavailable, and logs why.
      gauge.set(await reading.catch(() => Number.NaN))
    },
  })
}

/** The template of the path that a request was answered under, never the path itself; a gateway leaves that of the route which it relays in `response.locals.route`. */
export function routeOf(request: IncomingMessage, response: ServerResponse): string {
  // Before Express has seen them, both are plain.
  const { route = (request as Request).route } = ((response as Response).locals ?? {}) as { route?: { path?: unknown } }
  return typeof route?.path === 'string' ? route.path : 'none'
}

/** The status of an answer that is over; 499, as proxies say it, where the caller left or was cut off before it began. */
export const endStatusOf = ({ headersSent, statusCode }: ServerResponse): number => (headersSent ? statusCode : 499)

/** Times an answer by method, route template and status, from this call to its end. */
export type RequestTimer = (request: IncomingMessage, response: ServerResponse) => void

/** One per registry. */
export function createRequestTimer(registry: Registry): RequestTimer {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600],
    registers: [registry],
  })
  return (request, response) => {
    const startedAt = performance.now()
    response.once('close', () => {
      const labels = { method: request.method, route: routeOf(request, response), status: endStatusOf(response) }
      duration.observe(labels, (performance.now() - startedAt) / 1_000)
    })
  }
}
