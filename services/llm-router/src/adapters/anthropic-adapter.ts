import type { OutputConfig, RawMessageStreamEvent, ToolChoice } from '@anthropic-ai/sdk/resources/messages'
import {
  type Adapter,
  clientOptions,
  maxTokensOf,
  type Prompt,
  type PromptOptions,
  requestHeaders,
  type Target,
  temperatureOf,
} from './adapter.ts'
import { createEventReader } from './anthropic-events.ts'
import { anthropicTool, conversation, systemText } from './anthropic-messages.ts'
import { readStream } from './event-stream.ts'
import { knownClients } from './known-clients.ts'

const clientOf = knownClients(
  (sdk: typeof import('@anthropic-ai/sdk'), target) =>
    new sdk.Anthropic({
      ...clientOptions(target),
      // Explicit, because the SDK would otherwise read it from the environment.
      authToken: null,
      webhookKey: null,
      openTelemetry: false,
    }),
)

/** Anthropic's Messages API, through its SDK. */
export const anthropicAdapter: Adapter = (target, prompt) => {
  const body = messageBody(target, prompt)
  const headers = requestHeaders(target, ['authorization', 'x-api-key'])
  return async (signal) => {
    // Loaded lazily: many installations never call it.
    const client = clientOf(await import('@anthropic-ai/sdk'), target)
    const answer = await client.messages.create(body, { headers, signal }).asResponse()
    return readMessage(answer.body)
  }
}

function messageBody(target: Target, { messages, tools, options }: Prompt) {
  const system = [systemText(messages), options?.format === 'json' ? onlyJson : ''].filter(Boolean).join('\n\n')
  const thinking = thinkingOf(target, options)
  return {
    model: target.apiModelName,
    max_tokens: maxTokensOf(target, options ?? {}),
    messages: conversation(messages),
    ...(system !== '' && { system }),
    ...(tools.length > 0 && { tools: tools.map(anthropicTool), ...toolChoiceOf(options) }),
    ...(thinking ?? samplingOf(target, options)),
    ...requestedOf(options),
    stream: true as const,
  }
}

/** What a stream contains beside the events of its message. */
type StreamEvent = RawMessageStreamEvent | { readonly type: 'ping' } | { readonly type: 'error' }

function readMessage(body: AsyncIterable<Uint8Array> | null): ReturnType<typeof readStream> {
  const readEvent = createEventReader()
  return readStream(body, (data) => {
    const event: StreamEvent = JSON.parse(data)
    if (event.type === 'error') throw new Error('The provider reported an error inside the stream')
    if (event.type === 'ping') return []
    return event.type === 'message_stop' ? undefined : readEvent(event)
  })
}

/** Anthropic supports JSON output only with a schema. */
const onlyJson = 'Answer with one JSON object and nothing else.'

const isForced = (options: PromptOptions | undefined): boolean =>
  options?.toolChoice === 'required' || typeof options?.toolChoice === 'object'

/** Enables thinking where supported, unless a program does not request it or forces a tool, which excludes it. */
function thinkingOf(target: Target, options: PromptOptions | undefined) {
  const isAsked = options === undefined || (options.effort ?? 'none') !== 'none'
  if (!target.thinks || !isAsked || isForced(options)) return undefined
  return { thinking: { type: 'adaptive', display: 'summarized' } } as const
}

/** How tokens are sampled. Anthropic's newer models refuse two of temperature and top_p at once, and any of these when thinking. */
function samplingOf(target: Target, { temperature, topP, topK }: PromptOptions = {}) {
  const top_k = topK !== undefined && { top_k: topK }
  if (temperature !== undefined) return { temperature: Math.min(temperature, 1), ...top_k }
  return { ...(topP === undefined ? temperatureOf(target, 1) : { top_p: topP }), ...top_k }
}

function toolChoiceOf(options: PromptOptions | undefined): { tool_choice?: ToolChoice } {
  const { toolChoice = 'auto', parallelToolCalls } = options ?? {}
  const single = parallelToolCalls === false && { disable_parallel_tool_use: true }
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } }
  if (typeof toolChoice === 'object') return { tool_choice: { type: 'tool', ...toolChoice, ...single } }
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...single } }
  return single ? { tool_choice: { type: 'auto', ...single } } : {}
}

function requestedOf({ stop, format, effort, user }: PromptOptions = {}) {
  const output: OutputConfig = {
    ...(typeof format === 'object' && { format: { type: 'json_schema', schema: { ...format.schema } } }),
    ...(effort !== undefined && effort !== 'none' && { effort: effort === 'minimal' ? 'low' : effort }),
  }
  return {
    ...(stop !== undefined && stop.length > 0 && { stop_sequences: [...stop] }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  }
}
