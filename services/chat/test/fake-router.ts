import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CompletionBody, CompletionLine, ErrorCode, ModelInfo } from '@parley/contracts'
import { errorStatus } from '@parley/contracts'

/** One completion as the script of a test answers it. */
export interface CompletionCall {
  readonly body: CompletionBody
  start(line?: { model?: string; creditsPerMessage?: number }): void
  text(text: string): void
  reasoning(text: string): void
  end(finishReason?: 'stop' | 'length'): void
  error(error: string): void
  line(line: CompletionLine | string): void
  /** Instead of a start. */
  refuse(code: ErrorCode, error: string): void
  cut(): void
  /** True once the caller has closed the connection. */
  readonly aborted: () => boolean
}
export type Script = (call: CompletionCall) => void | Promise<void>

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
  const router = { models, script: echo as Script, calls: [] as CompletionCall[], url: '', close }
  const server = createServer((request, response) => {
    if (request.method === 'GET') answerInfo(models, request, response)
    else void complete(router, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  router.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return router
}

function answerInfo(models: Map<string, ModelInfo>, request: IncomingMessage, response: ServerResponse): void {
  const model = models.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
  if (model === undefined) refuse(response, 'not_found', 'Not found')
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(model))
}

function refuse(response: ServerResponse, code: ErrorCode, error: string): void {
  response.writeHead(errorStatus[code], { 'content-type': 'application/json' })
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
    end(finishReason = 'stop') {
      line({ type: 'end', finishReason, usage })
      response.end()
    },
    error(error) {
      line({ type: 'error', code: 'provider_error', error, usage })
      response.end()
    },
    refuse: (code, error) => refuse(response, code, error),
    cut: () => response.destroy(),
    aborted: () => aborted,
  }
  router.calls.push(call)
  await router.script(call)
}
