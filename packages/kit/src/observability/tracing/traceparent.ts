/** What a W3C `traceparent` names: the trace, and the span within it that called. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** The ids of a `traceparent`, whose flags are left out; undefined for what is none. */
export function readTraceparent(header: string | string[] | undefined): TraceIds | undefined {
  const [, traceId, spanId] = (typeof header === 'string' && form.exec(header)) || []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}
