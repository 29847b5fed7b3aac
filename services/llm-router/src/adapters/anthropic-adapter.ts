import type { OutputConfig, RawMessageStreamEvent, ToolChoice } from '@anthropic-ai/sdk/resources/messages'
import {
  type Adapter,
  clientOptions,
  maxTokensOf,
  type PromptOptions,
  type ProviderEvent,
  requestHeaders,
  type Target,
  temperatureOf,
} from './adapter.ts'
import { createEventReader } from './anthropic-events.ts'
import { anthropicTool, conversation, systemText } from './anthropic-messages.ts'
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
export const anthropicAdapter: Adapter = async (target, { messages, tools, options }, signal) => {
  // Loaded lazily: many installations never call it.
  const client = clientOf(await import('@anthropic-ai/sdk'), target)
  const system = [systemText(messages), options?.format === 'json' ? onlyJson : ''].filter(Boolean).join('\n\n')
  const stream = await client.messages.create(
    {
      model: target.apiModelName,
      max_tokens: maxTokensOf(target, options ?? {}),
      messages: conversation(messages),
      ...(system !== '' && { system }),
      ...(tools.length > 0 && { tools: tools.map(anthropicTool), ...toolChoiceOf(options) }),
      ...thinkingOf(target, options),
      ...samplingOf(options),
      stream: true,
    },
    { headers: requestHeaders(target, ['authorization', 'x-api-key']), signal },
  )
  return readEvents(stream)
}

async function* readEvents(stream: AsyncIterable<RawMessageStreamEvent>): AsyncGenerator<readonly ProviderEvent[]> {
  const readEvent = createEventReader()
  for await (const event of stream) {
    const events = readEvent(event)
    if (events.length > 0) yield events
  }
}

/** Anthropic supports JSON output only with a schema. */
const onlyJson = 'Answer with one JSON object and nothing else.'

const isForced = (options: PromptOptions | undefined): boolean =>
  options?.toolChoice === 'required' || typeof options?.toolChoice === 'object'

/** Enables thinking where supported, unless a program does not request it or forces a tool, which excludes it; temperature is then omitted. */
function thinkingOf(target: Target, options: PromptOptions | undefined) {
  const isAsked = options === undefined || (options.effort ?? 'none') !== 'none'
  if (target.thinks && isAsked && !isForced(options))
    return { thinking: { type: 'adaptive', display: 'summarized' } } as const
  return options?.temperature === undefined
    ? temperatureOf(target, 1)
    : { temperature: Math.min(options.temperature, 1) }
}

function toolChoiceOf(options: PromptOptions | undefined): { tool_choice?: ToolChoice } {
  const { toolChoice = 'auto', parallelToolCalls } = options ?? {}
  const single = parallelToolCalls === false && { disable_parallel_tool_use: true }
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } }
  if (typeof toolChoice === 'object') return { tool_choice: { type: 'tool', ...toolChoice, ...single } }
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...single } }
  return single ? { tool_choice: { type: 'auto', ...single } } : {}
}

function samplingOf({ topP, topK, stop, format, effort, user }: PromptOptions = {}) {
  const output: OutputConfig = {
    ...(typeof format === 'object' && { format: { type: 'json_schema', schema: { ...format.schema } } }),
    ...(effort !== undefined && effort !== 'none' && { effort: effort === 'minimal' ? 'low' : effort }),
  }
  return {
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(stop !== undefined && stop.length > 0 && { stop_sequences: [...stop] }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  }
}
