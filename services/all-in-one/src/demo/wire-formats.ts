import type { DemoCall } from './tool-use.ts'

/** A whole answer. */
export interface DemoAnswer {
  readonly model: string
  readonly text: string
  readonly calls: readonly DemoCall[]
  /** A data URL. */
  readonly image?: string
  /** Tokens, roughly. */
  readonly usage: { readonly input: number; readonly output: number }
}

/** One provider's way of saying an answer. */
export interface WireFormat {
  whole(answer: DemoAnswer): unknown
  /** Frames of an event stream, before the pieces of the text. */
  begin(answer: DemoAnswer): string[]
  piece(text: string, model: string): string
  /** The calls of tools, and the end. */
  end(answer: DemoAnswer): string[]
}

const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const openAiUsage = ({ input, output }: DemoAnswer['usage']) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})
const openAiChunk = (model: string, rest: object) =>
  dataFrame({ id: 'chatcmpl-demo', object: 'chat.completion.chunk', created: 0, model, ...rest })
const openAiDelta = (model: string, delta: object, finish: string | null = null) =>
  openAiChunk(model, { choices: [{ index: 0, delta, finish_reason: finish }] })
const openAiCalls = (calls: readonly DemoCall[]) =>
  calls.map(({ id, name, parameters }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(parameters) },
  }))
const openAiFinish = ({ calls }: DemoAnswer): string => (calls.length > 0 ? 'tool_calls' : 'stop')

/** Chat completions, as OpenAI and most others speak them. */
export const openAiFormat: WireFormat = {
  whole(answer) {
    const { model, text, calls, image, usage } = answer
    const message = {
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && { tool_calls: openAiCalls(calls) }),
      ...(image && { images: [{ type: 'image_url', image_url: { url: image } }] }),
    }
    const choices = [{ index: 0, message, finish_reason: openAiFinish(answer) }]
    return { id: 'chatcmpl-demo', object: 'chat.completion', created: 0, model, choices, usage: openAiUsage(usage) }
  },
  begin: ({ model }) => [openAiDelta(model, { role: 'assistant', content: '' })],
  piece: (content, model) => openAiDelta(model, { content }),
  end: (answer) => [
    ...openAiCalls(answer.calls).map((call) => openAiDelta(answer.model, { tool_calls: [call] })),
    openAiDelta(answer.model, {}, openAiFinish(answer)),
    openAiChunk(answer.model, { choices: [], usage: openAiUsage(answer.usage) }),
    'data: [DONE]\n\n',
  ],
}

const namedFrame = (type: string, rest: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const toolUse = ({ id, name, parameters: input }: DemoCall) => ({ type: 'tool_use', id, name, input })
const stopReason = ({ calls }: DemoAnswer): string => (calls.length > 0 ? 'tool_use' : 'end_turn')
const anthropicMessage = ({ model, usage }: DemoAnswer, content: unknown[], stop: string | null) => ({
  id: 'msg_demo',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: usage.input, output_tokens: stop === null ? 0 : usage.output },
})
const block = (index: number, start: object, delta?: object): string[] => [
  namedFrame('content_block_start', { index, content_block: start }),
  ...(delta === undefined ? [] : [namedFrame('content_block_delta', { index, delta })]),
]

/** Anthropic's messages. */
export const anthropicFormat: WireFormat = {
  whole: (answer) =>
    anthropicMessage(answer, [{ type: 'text', text: answer.text }, ...answer.calls.map(toolUse)], stopReason(answer)),
  begin: (answer) => [
    namedFrame('message_start', { message: anthropicMessage(answer, [], null) }),
    ...block(0, { type: 'text', text: '' }),
  ],
  piece: (text) => namedFrame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (answer) => [
    namedFrame('content_block_stop', { index: 0 }),
    ...answer.calls.flatMap((call, nth) => [
      ...block(
        nth + 1,
        { ...toolUse(call), input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(call.parameters) },
      ),
      namedFrame('content_block_stop', { index: nth + 1 }),
    ]),
    namedFrame('message_delta', {
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    }),
    namedFrame('message_stop', {}),
  ],
}
