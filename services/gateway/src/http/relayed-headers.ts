import type { IncomingMessage } from 'node:http'
import type { HeaderList } from './headers.ts'

/** Request headers that only this gateway may set, that no service needs, or that concern the caller's connection. */
const foreign =
  /^(traceparent$|tracestate$|baggage$|x-identity$|x-request-id$|x-user-|x-api-key$|x-internal-|authorization$|proxy-|forwarded$|x-forwarded-|x-real-ip$|x-http-method|connection$|keep-alive$)/
/** Headers on body framing, which the relay sets itself, and headers for the next hop only. */
const ofTransfer = new Set(['content-length', 'transfer-encoding', 'expect', 'te', 'trailer', 'upgrade'])

/** Removes request headers that a caller must not pass to a service. */
export function dropForeignHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (foreign.test(name)) delete headers[name]
}

/** The request headers for a service, without body framing. @param keepsCookie for the only service that reads cookies */
export function requestHeaders({ rawHeaders }: IncomingMessage, keepsCookie: boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [written, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    const name = written.toLowerCase()
    if (foreign.test(name) || ofTransfer.has(name) || (name === 'cookie' && !keepsCookie)) continue
    kept.push(name, value)
  }
  return kept
}

/** Response headers that concern a single connection or that the gateway always sets itself. */
const ofAnswer = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'trailer'],
  ...['x-request-id', 'request-id'],
])

/** A service's response headers merged with our own, which apply unless the service sets the same. */
export function answerHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, own: HeaderList): string[] {
  const headers = [...own]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [written, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    const name = written.toLowerCase()
    if (ofAnswer.has(name)) continue
    const ownAt = indexOfName(own, name)
    if (ownAt < 0) headers.push(name, value)
    // Caches need both lists.
    else headers[ownAt + 1] = name === 'vary' ? `${headers[ownAt + 1]}, ${value}` : value
  }
  return headers
}

function indexOfName(headers: HeaderList, name: string): number {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return at
  return -1
}
