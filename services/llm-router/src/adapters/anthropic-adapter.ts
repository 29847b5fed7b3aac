import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { PromptMessage } from '@parley/contracts'
import { type Adapter, type HeaderChanges, type ProviderEvent, temperatureOf } from './adapter.ts'

/** Anthropic's messages by its SDK. */
export const anthropicAdapter: Adapter = async function* (target, messages, signal) {
  // Loaded at the first call, which many installations never make.
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey: target.apiKey ?? 'none',
    // Told, or the SDK would look into the environment for them.
    authToken: null,
    webhookKey: null,
    baseURL: target.baseUrl,
    defaultHeaders: { ...withoutKey(target.apiKey), ...target.headers },
    fetch: target.fetch,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: 'off',
    openTelemetry: false,
  })
  const system = systemText(messages)
  const stream = await client.messages.create(
    {
      model: target.apiModelName,
      max_tokens: target.maxTokens,
      messages: conversation(messages),
      ...(system !== '' && { system }),
      ...(target.thinks ? { thinking: { type: 'adaptive', display: 'summarized' } } : temperatureOf(target, 1)),
      stream: true,
    },
    { signal },
  )
  for await (const event of stream) {
    const events = readEvent(event)
    if (events.length > 0) yield events
  }
}

/** The largest delay a timer takes; the deadlines are kept elsewhere. Milliseconds. */
const noTimeout = 2 ** 31 - 1

const withoutKey = (apiKey: string | undefined): HeaderChanges =>
  apiKey === undefined ? { authorization: null, 'x-api-key': null } : {}

const systemText = (messages: readonly PromptMessage[]): string =>
  messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n\n')

const conversation = (messages: readonly PromptMessage[]) =>
  // Anthropic refuses a whole conversation for one empty message.
  messages.flatMap(({ role, content }) => (role === 'system' || content.trim() === '' ? [] : [{ role, content }]))

function readEvent(event: RawMessageStreamEvent): ProviderEvent[] {
  switch (event.type) {
    case 'message_start':
      return [{ type: 'usage', inputTokens: event.message.usage?.input_tokens }]
    case 'content_block_delta':
      if (event.delta.type === 'text_delta') return [{ type: 'text', text: event.delta.text }]
      return event.delta.type === 'thinking_delta' ? [{ type: 'reasoning', text: event.delta.thinking }] : []
    case 'message_delta':
      return [
        { type: 'usage', outputTokens: event.usage?.output_tokens },
        ...(event.delta.stop_reason ? [{ type: 'finish', reason: finishOf(event.delta.stop_reason) } as const] : []),
      ]
    default:
      return []
  }
}

const finishOf = (reason: string): 'stop' | 'length' =>
  reason === 'max_tokens' || reason === 'model_context_window_exceeded' ? 'length' : 'stop'
