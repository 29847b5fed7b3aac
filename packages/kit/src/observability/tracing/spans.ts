import type { ClientRequest, IncomingMessage, RequestListener } from 'node:http'
import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { reasonOf } from '../../errors/reason-of.ts'
import { endStatusOf, routeOf } from '../metrics.ts'
import { readTraceparent } from './traceparent.ts'

/** The attributes of a span that are known at its start. */
export interface SpanOptions {
  /** Internal by default. */
  readonly kind?: 'client' | 'consumer'
  readonly attributes?: Attributes
  /** The W3C traceparent that it follows; what runs around it by default. */
  readonly traceparent?: string | undefined
}

const kinds = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/** Without a propagator, which `exportTraces` brings, no trace can come from anywhere or go on. */
const isTracing = (): boolean => propagation.fields().length > 0

/** Stands for spans while none are recorded. */
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
const noHeaders = {}

const headersIn = (around: Context): Record<string, string> => {
  const headers: Record<string, string> = {}
  propagation.inject(around, headers)
  return headers
}

/** The W3C headers by which a request continues the trace that it is sent in; none unless tracing was started. */
export const traceHeaders = (): Readonly<Record<string, string>> =>
  isTracing() ? headersIn(context.active()) : noHeaders

/** The same for an event, which is handled later. */
export const currentTraceparent = (): string | undefined =>
  isTracing() ? headersIn(context.active()).traceparent : undefined

/** The ids by which a log line is found beside its span; none outside of a trace. */
export function currentTraceIds(): { readonly traceId?: string; readonly spanId?: string } {
  const span = trace.getActiveSpan()
  if (span === undefined) return {}
  const { traceId, spanId } = span.spanContext()
  return { traceId, spanId }
}

/**
 * Runs work within a span, which fails if the work does. Records nothing unless tracing was started.
 * @param service whose span it is
 */
export function inSpan<T>(
  service: string,
  name: string,
  { kind, attributes = {}, traceparent }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work(noSpan)
  const parent = traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent })
  const options = { attributes, ...(kind && { kind: kinds[kind] }) }
  return trace.getTracer(service).startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: reasonOf(error) })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Probes and scrapes are no part of what anybody does. */
const untraced = /^\/(healthz|readyz|metrics)\b/

/**
 * A span for each request of a service, which continues the trace of its caller and is named by the route's template.
 * @param isEntrance anybody calls it: the caller names its trace, and no more
 */
export function traceRequests(service: string, handler: RequestListener, isEntrance = false): RequestListener {
  return (request, response) => {
    if (!isTracing() || untraced.test(request.url ?? '')) return handler(request, response)
    const parent = isEntrance ? namedByCaller(service, request) : propagation.extract(ROOT_CONTEXT, request.headers)
    const { method = '' } = request
    const span = trace.getTracer(service).startSpan(method, { kind: SpanKind.SERVER }, parent)
    if (span.isRecording()) {
      response.once('close', () => {
        const route = routeOf(request, response)
        const status = endStatusOf(response)
        span.updateName(`${method} ${route}`)
        span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      })
    }
    context.with(trace.setSpan(parent, span), () => handler(request, response))
  }
}

/**
 * The caller's ids under a decision of ours: whether a trace is recorded, which costs, is decided as for one that nobody named. Neither a flag nor
 * an id that a ratio happens to take forces it, and nothing else of the caller's comes along.
 */
function namedByCaller(service: string, { headers }: IncomingMessage): Context {
  const ids = readTraceparent(headers.traceparent)
  if (ids === undefined) return ROOT_CONTEXT
  // Never ended, so never sent.
  const { traceFlags } = trace.getTracer(service).startSpan('decision', { root: true }).spanContext()
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true })
}

/** Sends a request within a span. @param service that sends it @param send is handed the headers that hand the trace on */
export function traceOutgoing(
  service: string,
  name: string,
  send: (headers: Readonly<Record<string, string>>) => ClientRequest,
): ClientRequest {
  if (!isTracing()) return send({})
  const span = trace.getTracer(service).startSpan(name, { kind: SpanKind.CLIENT })
  const outgoing = send(headersIn(trace.setSpan(context.active(), span)))
  if (!span.isRecording()) return outgoing
  outgoing.once('response', ({ statusCode = 0 }) => span.setAttribute('http.response.status_code', statusCode))
  outgoing.once('error', (error) => span.setStatus({ code: SpanStatusCode.ERROR, message: reasonOf(error) }))
  outgoing.once('close', () => span.end())
  return outgoing
}
