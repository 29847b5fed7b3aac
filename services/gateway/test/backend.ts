import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startTestServer } from '@parley/testing'

/** A request received by a service behind the gateway. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
/** A service behind the gateway that records requests. */
export interface Backend {
  readonly url: string
  readonly received: Received[]
  /** Answers requests; the default is `{}`. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
  close(): Promise<void>
}

const empty = (_request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'application/json')
  response.end('{}')
}

/** Starts one on a free port. */
export async function startBackend(answer: Backend['answer'] = empty): Promise<Backend> {
  const received: Received[] = []
  const server = await startTestServer(async (request, response) => {
    // The gateway may cancel the request, as some tests intend.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    backend.answer(request, response, body)
  })
  const backend: Backend = {
    url: server.url,
    received,
    answer,
    close: server.close,
  }
  return backend
}
