import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startTestServer, type TestServer } from './test-server.ts'

export interface OutsiderCall {
  readonly method: string
  /** Including the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers a call; a call that it does not answer stays open. */
export type OutsiderScript = (call: OutsiderCall, response: ServerResponse) => void

export interface FakeOutsider extends TestServer {
  /** Every call so far, oldest first. */
  readonly calls: readonly OutsiderCall[]
  /** Answers every call from now on. */
  script: OutsiderScript
}

/** Starts a fake on a free port. */
export async function startFakeOutsider(first: OutsiderScript): Promise<FakeOutsider> {
  const calls: OutsiderCall[] = []
  const server = await startTestServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const call = { method, path: url, headers, body: await text(request) }
    calls.push(call)
    fake.script(call, response)
  })
  const fake: FakeOutsider = { ...server, calls, script: first }
  return fake
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
