import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A call to a fake of an external service. */
export interface OutsiderCall {
  readonly method: string
  /** Including the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers a call; a call that it does not answer stays open. */
export type OutsiderScript = (call: OutsiderCall, response: ServerResponse) => void

/** A fake of an external service, on loopback. */
export interface FakeOutsider {
  /** Without a path, as `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly port: number
  /** Every call so far, oldest first. */
  readonly calls: readonly OutsiderCall[]
  /** Answers every call from now on. */
  script: OutsiderScript
  close(): Promise<void>
}

/** Starts a fake on a free port. */
export async function startFakeOutsider(first: OutsiderScript): Promise<FakeOutsider> {
  const calls: OutsiderCall[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const call = { method, path: url, headers, body: await text(request) }
    calls.push(call)
    fake.script(call, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const fake: FakeOutsider = {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    script: first,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return fake
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
