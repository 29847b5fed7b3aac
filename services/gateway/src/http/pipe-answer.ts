import type { IncomingMessage, ServerResponse } from 'node:http'

/** Headers that speak of one connection. */
const ofConnection = /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/

/** Writes a service's answer into ours, whose own headers stay unless the service sets the same. */
export function pipeAnswer(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !ofConnection.test(name)) response.setHeader(name, value)
  }
  // Nothing can follow a request of which not all has come.
  if (!request.complete) response.setHeader('connection', 'close')
  // Caches need ours as well.
  if (answer.headers.vary !== undefined) response.setHeader('vary', `Origin, ${answer.headers.vary}`)
  response.statusCode = answer.statusCode ?? 502
  answer.pipe(response)
}
