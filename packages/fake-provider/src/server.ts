import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { playScript } from './play.ts'
import { type ProviderRequest, readPrompt } from './request.ts'
import type { ProviderCall, ProviderScript, Wire } from './script.ts'

/** A scripted provider of language and image models. */
export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>

/** The scripts, and the address: by default a free loopback port. */
export interface ScriptedProviderOptions {
  /** Returns the script for a call; the call's fields are updated while it is played. */
  answer(call: ProviderCall): ProviderScript
  readonly host?: string
  readonly port?: number
}

const wires: Readonly<Record<string, Wire>> = {
  '/chat/completions': 'openai',
  '/messages': 'anthropic',
  '/embeddings': 'embeddings',
  '/images/generations': 'images',
}

/** Starts a provider. `GET /healthz` is its health check. @throws the system's error if it cannot listen */
export async function startScriptedProvider(options: ScriptedProviderOptions) {
  const { answer, host = '127.0.0.1', port = 0 } = options
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0] ?? ''
    const wire = wires[path.replace(/^\/v1(?=\/)/, '')]
    if (path === '/healthz') response.end('{"status":"ok"}')
    else if (request.method !== 'POST' || wire === undefined) response.writeHead(404).end()
    else {
      // The client disconnected during its request.
      const sent = await text(request).catch(() => undefined)
      if (sent === undefined) return
      const call = beginCall(wire, request, response, sent)
      await playScript(response, call, answer(call))
    }
  }
  const server = createServer((request, response) => {
    // An unhandled rejection would end the process, which may run all services beside the demo.
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    /** Without a path, such as `http://127.0.0.1:<port>`; the base URL for SDKs of both kinds. */
    url,
    /** The base URL with the version, as OpenAI's. */
    openaiUrl: `${url}/v1`,
    /** Closes the server and all connections. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function beginCall(wire: Wire, request: IncomingMessage, response: ServerResponse, sent: string): ProviderCall {
  const body = parseBody(sent)
  const call: ProviderCall = {
    wire,
    path: request.url ?? '',
    headers: request.headers,
    body,
    prompt: readPrompt(body),
    startedAt: performance.now(),
    sentChunks: 0,
  }
  response.once('close', () => {
    if (response.writableFinished) call.finishedAt = performance.now()
    else call.abortedAt = performance.now()
  })
  return call
}

function parseBody(sent: string): ProviderRequest {
  try {
    const body: unknown = JSON.parse(sent)
    return typeof body === 'object' && body !== null ? (body as ProviderRequest) : { raw: sent }
  } catch {
    // Not JSON: keep the raw text for tests.
    return { raw: sent }
  }
}
