import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Request, type Response } from 'express'
import { z } from 'zod'
import { countTokens, demoAnswer, pieces } from './answer.ts'

/** Milliseconds between two pieces: a pace that can be read along with. */
const pieceMs = 12

const contentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
})
type DemoRequest = z.infer<typeof requestSchema>

/** A server that answers without a model, in the wire formats of OpenAI's chat completions and Anthropic's messages. */
export interface DemoProvider {
  readonly url: string
  close(): Promise<void>
}

/** Starts it, on a free loopback port unless told. The URL is a base URL for SDKs of either kind. */
export async function startDemoProvider({ host = '127.0.0.1', port = 0 } = {}): Promise<DemoProvider> {
  const app = express()
  app.get('/healthz', (_request, response) => response.json({ status: 'ok' }))
  app.use(express.json({ limit: '32mb' }))
  app.post(['/v1/chat/completions', '/chat/completions'], (request, response) =>
    answer(request, response, openAiFormat),
  )
  app.post(['/v1/messages', '/messages'], (request, response) => answer(request, response, anthropicFormat))
  const server = app.listen(port, host)
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One provider's way of saying an answer. */
interface WireFormat {
  whole(text: string, usage: DemoUsage, model: string): unknown
  begin(usage: DemoUsage, model: string): string[]
  piece(text: string, model: string): string
  end(usage: DemoUsage, model: string): string[]
}
interface DemoUsage {
  readonly input: number
  readonly output: number
}

async function answer(request: Request, response: Response, format: WireFormat): Promise<void> {
  const parsed = requestSchema.safeParse(request.body)
  if (!parsed.success) {
    response.status(400).json({ error: { type: 'invalid_request_error', message: 'model and messages are needed' } })
    return
  }
  const { model, stream } = parsed.data
  const text = demoAnswer(lastQuestion(parsed.data))
  const usage = { input: countTokens(JSON.stringify(parsed.data.messages)), output: countTokens(text) }
  if (!stream) {
    response.json(format.whole(text, usage, model))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const frame of format.begin(usage, model)) response.write(frame)
  for (const piece of pieces(text)) {
    if (response.destroyed) return
    response.write(format.piece(piece, model))
    await sleep(pieceMs)
  }
  for (const frame of format.end(usage, model)) response.write(frame)
  response.end()
}

function lastQuestion(request: DemoRequest): string {
  const content = request.messages.findLast((message) => message.role === 'user')?.content ?? ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(' ')
}

const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const openAiUsage = ({ input, output }: DemoUsage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})
const openAiChunk = (model: string, rest: object) =>
  dataFrame({ id: 'chatcmpl-demo', object: 'chat.completion.chunk', created: 0, model, ...rest })
const openAiFormat: WireFormat = {
  whole: (text, usage, model) => ({
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: openAiUsage(usage),
  }),
  begin: (_usage, model) => [
    openAiChunk(model, { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  ],
  piece: (content, model) => openAiChunk(model, { choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  end: (usage, model) => [
    openAiChunk(model, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    openAiChunk(model, { choices: [], usage: openAiUsage(usage) }),
    'data: [DONE]\n\n',
  ],
}

const namedFrame = (type: string, rest: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const anthropicMessage = (model: string, content: unknown[], usage: DemoUsage, stopReason: string | null) => ({
  id: 'msg_demo',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: { input_tokens: usage.input, output_tokens: stopReason === null ? 0 : usage.output },
})
const anthropicFormat: WireFormat = {
  whole: (text, usage, model) => anthropicMessage(model, [{ type: 'text', text }], usage, 'end_turn'),
  begin: (usage, model) => [
    namedFrame('message_start', { message: anthropicMessage(model, [], usage, null) }),
    namedFrame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  piece: (text) => namedFrame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (usage) => [
    namedFrame('content_block_stop', { index: 0 }),
    namedFrame('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    namedFrame('message_stop', {}),
  ],
}
