import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CompletionBody, CompletionLine, ErrorCode, ModelInfo, modelInternalRoutes } from '@parley/contracts'
import { errorStatus } from '@parley/contracts'
import { startTestServer } from '@parley/testing'
import type { z } from 'zod'

/** One completion as the script of a test answers it. */
export interface CompletionCall {
  readonly body: CompletionBody
  start(line?: { model?: string; creditsPerMessage?: number }): void
  text(text: string): void
  reasoning(text: string): void
  /** A whole call of a tool; `given` is what the model takes for its arguments. */
  tool(name: string, given: unknown): void
  end(
    finishReason?: 'stop' | 'length' | 'tool_calls',
    more?: { readonly kept: boolean; readonly keptAt?: string },
  ): void
  error(error: string): void
  line(line: CompletionLine | string): void
  /** Instead of a start. */
  refuse(code: ErrorCode, error: string, headers?: Record<string, string>): void
  cut(): void
  /** True once the caller has closed the connection. */
  readonly aborted: () => boolean
}
export type Script = (call: CompletionCall) => void | Promise<void>

/** One image as the script of a test answers it. */
export interface ImageCall {
  readonly body: z.infer<NonNullable<typeof modelInternalRoutes.image.body>>
  answer(image: { data: Buffer; model?: string; creditsPerMessage?: number }): void
  refuse(code: ErrorCode, error: string, headers?: Record<string, string>): void
}

export const usage = { inputTokens: 11, outputTokens: 7, estimated: false }

/** Answers at once with what was asked. */
export const echo: Script = (call) => {
  call.start()
  call.text(`You said: ${call.body.messages.at(-1)?.content}`)
  call.end()
}

export const modelInfo = (parts: Partial<ModelInfo> = {}): ModelInfo => ({
  id: 'v3',
  name: 'DeepSeek v3',
  provider: 'deepseek',
  enabled: true,
  modelType: 'text',
  creditsPerMessage: 1,
  contextLength: 64_000,
  maxTokens: 8_000,
  supportsThinking: false,
  supportsTools: false,
  supportsImageAttachments: false,
  supportsFileAttachments: false,
  ...parts,
})

/** llm-router at its wire: `models` by id, `script` answers each completion, `calls` are those that came. */
export async function startFakeRouter() {
  const models = new Map<string, ModelInfo>([['v3', modelInfo()]])
  const router = {
    models,
    /** It answers questions about models once this is settled. */
    informing: Promise.resolve(),
    script: echo as Script,
    calls: [] as CompletionCall[],
    paint: (call: ImageCall): void | Promise<void> => call.refuse('provider_error', 'Nobody paints here'),
    images: [] as ImageCall[],
    /** For the next test: answers with what was asked, and has no calls. */
    reset() {
      router.script = echo
      router.calls.length = 0
    },
  }
  const server = await startTestServer((request, response) => {
    if (request.url?.endsWith('/hierarchy')) answerHierarchy(models, response)
    else if (request.method === 'GET') void router.informing.then(() => answerInfo(models, request, response))
    else if (request.url?.endsWith('/images')) void paint(router, request, response)
    else void complete(router, request, response)
  })
  return Object.assign(router, server)
}

function answerHierarchy(models: Map<string, ModelInfo>, response: ServerResponse): void {
  const groups = [
    { name: 'All', models: [...models.values()].map((model) => ({ description: '', locked: false, ...model })) },
  ]
  const providers = [{ id: 'deepseek', name: 'DeepSeek', notice: null, groups }]
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ providers }))
}

async function paint(
  router: { paint(call: ImageCall): void | Promise<void>; images: ImageCall[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse(await text(request)) as ImageCall['body']
  const call: ImageCall = {
    body,
    answer({ data, model = body.model, creditsPerMessage = 4 }) {
      const image = { model, creditsPerMessage, mimeType: 'image/png', data: data.toString('base64') }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(image))
    },
    refuse: (code, error, headers) => refuse(response, code, error, headers),
  }
  router.images.push(call)
  await router.paint(call)
}

function answerInfo(models: Map<string, ModelInfo>, request: IncomingMessage, response: ServerResponse): void {
  const model = models.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
  if (model === undefined) refuse(response, 'not_found', 'Not found')
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(model))
}

function refuse(response: ServerResponse, code: ErrorCode, error: string, headers: Record<string, string> = {}): void {
  response.writeHead(errorStatus[code], { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error, code, requestId: 'request-of-router' }))
}

async function complete(
  router: { script: Script; calls: CompletionCall[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse(await text(request)) as CompletionBody
  let aborted = false
  response.once('close', () => {
    aborted = !response.writableFinished
  })
  const line: CompletionCall['line'] = (sent) => {
    response.write(typeof sent === 'string' ? sent : `${JSON.stringify(sent)}\n`)
  }
  const call: CompletionCall = {
    body,
    line,
    start({ model = body.model, creditsPerMessage = 1 } = {}) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      line({ type: 'start', model, provider: 'deepseek', creditsPerMessage })
    },
    text: (part) => line({ type: 'text', text: part }),
    reasoning: (part) => line({ type: 'reasoning', text: part }),
    tool(name, given) {
      const text = typeof given === 'string' ? given : JSON.stringify(given)
      line({ type: 'tool', call: { id: `call_${name}`, name, arguments: text } })
    },
    end(finishReason = 'stop', more = undefined) {
      line({ type: 'end', finishReason, usage, ...more })
      response.end()
    },
    error(error) {
      line({ type: 'error', code: 'provider_error', error, usage })
      response.end()
    },
    refuse: (code, error, headers) => refuse(response, code, error, headers),
    cut: () => response.destroy(),
    aborted: () => aborted,
  }
  router.calls.push(call)
  await router.script(call)
}
