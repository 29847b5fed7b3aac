import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
    } catch {
      // The gateway cancelled the request, as some tests intend.
      return
    }
    const body = Buffer.concat(parts).toString()
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    backend.answer(request, response, body)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const backend: Backend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return backend
}
