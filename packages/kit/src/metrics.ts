import type { RequestHandler } from 'express'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type { Registry } from 'prom-client'

/** A registry of one service's own; `runtime` adds the process's figures, which one service per process reports. */
export function createMetrics(service: string, runtime: boolean): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  if (runtime) collectDefaultMetrics({ register: registry })
  return registry
}

/** Times every answer by method, route pattern and status. */
export function timeRequests(registry: Registry): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600],
    registers: [registry],
  })
  return (request, response, next) => {
    const started = process.hrtime.bigint()
    response.once('close', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none'
      const seconds = Number(process.hrtime.bigint() - started) / 1e9
      duration.observe({ method: request.method, route, status: response.statusCode }, seconds)
    })
    next()
  }
}
