import type { IncomingMessage } from 'node:http'
import type { HeaderList } from './headers.ts'

/** Headers of a caller that only this gateway may set, that no service needs to see, or that speak of the caller's connection. */
const foreign =
  /^(traceparent$|tracestate$|baggage$|x-identity$|x-request-id$|x-user-|x-api-key$|x-internal-|authorization$|proxy-|forwarded$|x-forwarded-|x-real-ip$|x-http-method|connection$|keep-alive$)/
/** Those that say how the body comes, which is the relay's own to say, and those that only the next hop may answer. */
const ofTransfer = new Set(['content-length', 'transfer-encoding', 'expect', 'te', 'trailer', 'upgrade'])

/** Takes out of a request what no caller may say to a service. */
export function dropForeignHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (foreign.test(name)) delete headers[name]
}

/** The headers that a service is handed of a request, without those of its body. @param keepsCookie for the one service that reads it */
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

/** Headers of an answer that speak of one connection, or are ours in any case. */
const ofAnswer = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'trailer'],
  ...['x-request-id', 'request-id'],
])

/** The headers of a service's answer with our own, which stay unless the service sets the same. */
export function answerHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, own: HeaderList): string[] {
  const headers = [...own]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [written, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    const name = written.toLowerCase()
    if (ofAnswer.has(name)) continue
    const ownAt = indexOfName(own, name)
    if (ownAt < 0) headers.push(name, value)
    // Caches need ours as well.
    else headers[ownAt + 1] = name === 'vary' ? `${headers[ownAt + 1]}, ${value}` : value
  }
  return headers
}

function indexOfName(headers: HeaderList, name: string): number {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return at
  return -1
}
