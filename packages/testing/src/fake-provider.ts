import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playScript } from './provider-answer.ts'
import { type ProviderRequest, readPrompt } from './provider-prompt.ts'
import { echo, type ProviderCall, type ProviderScript, type Wire } from './provider-script.ts'
import { waitUntil } from './wait-until.ts'

type Matches = (request: ProviderRequest) => boolean

/**
 * A provider of language and image models whose answers a test writes.
 * A call takes the oldest queued script, else the first rule that matches, else it hears its own message.
 */
export interface FakeProvider {
  /** Without a path, as `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The base URL for SDKs of OpenAI's kind; Anthropic's takes `url`. */
  readonly openaiUrl: string
  /** Every call so far, oldest first. */
  readonly calls: readonly ProviderCall[]
  /** Queues scripts, each for one call. */
  reply(...scripts: readonly ProviderScript[]): void
  /** Answers every call that matches by this script, or all calls. */
  always(script: ProviderScript, matches?: Matches): void
  /** Resolves to the nth call (from 1) once it has come in. */
  call(nth: number): Promise<ProviderCall>
  /** Resolves to the nth call (from 1) once its client has gone away before the end. */
  aborted(nth: number): Promise<ProviderCall & { abortedAt: number }>
  /** Forgets calls, queue and rules. */
  reset(): void
  close(): Promise<void>
}

const wires: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': 'openai',
  '/chat/completions': 'openai',
  '/v1/messages': 'anthropic',
  '/v1/images/generations': 'images',
  '/images/generations': 'images',
}

/** Starts a fake provider on a free port of the loopback; `port` fixes it. */
export async function startFakeProvider(port = 0): Promise<FakeProvider> {
  const calls: ProviderCall[] = []
  const queue: ProviderScript[] = []
  const rules: { matches: Matches; script: ProviderScript }[] = []
  const scriptFor = (body: ProviderRequest): ProviderScript =>
    queue.shift() ?? rules.find((rule) => rule.matches(body))?.script ?? echo(body)

  const server = createServer(async (request, response) => {
    const wire = wires[request.url?.split('?')[0] ?? '']
    if (request.method !== 'POST' || wire === undefined) {
      response.writeHead(404).end()
      return
    }
    const call = recordCall(wire, request, response, await readBody(request))
    calls.push(call)
    await playScript(response, call, scriptFor(call.body))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    openaiUrl: `${url}/v1`,
    calls,
    reply: (...scripts) => void queue.push(...scripts),
    always: (script, matches = () => true) => void rules.unshift({ matches, script }),
    call: (nth) => waitUntil(() => calls[nth - 1], `call ${nth} of the provider`),
    aborted: (nth) =>
      waitUntil(() => {
        const call = calls[nth - 1]
        return call?.abortedAt === undefined ? undefined : { ...call, abortedAt: call.abortedAt }
      }, `abort of call ${nth} of the provider`),
    reset() {
      for (const list of [calls, queue, rules]) list.length = 0
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function recordCall(wire: Wire, request: IncomingMessage, response: ServerResponse, text: string): ProviderCall {
  const body = parseBody(text)
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

function parseBody(text: string): ProviderRequest {
  try {
    return JSON.parse(text)
  } catch {
    // A test looks at what was sent, whatever it was.
    return { raw: text }
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
