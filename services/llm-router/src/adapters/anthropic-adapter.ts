import { type Adapter, type HeaderChanges, temperatureOf } from './adapter.ts'
import { createEventReader } from './anthropic-events.ts'
import { anthropicTool, conversation, systemText } from './anthropic-messages.ts'

/** Anthropic's messages by its SDK. */
export const anthropicAdapter: Adapter = async function* (target, { messages, tools }, signal) {
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
      ...(tools.length > 0 && { tools: tools.map(anthropicTool) }),
      ...(target.thinks ? { thinking: { type: 'adaptive', display: 'summarized' } } : temperatureOf(target, 1)),
      stream: true,
    },
    { signal },
  )
  const readEvent = createEventReader()
  for await (const event of stream) {
    const events = readEvent(event)
    if (events.length > 0) yield events
  }
}

/** The largest delay a timer takes; the deadlines are kept elsewhere. Milliseconds. */
const noTimeout = 2 ** 31 - 1

const withoutKey = (apiKey: string | undefined): HeaderChanges =>
  apiKey === undefined ? { authorization: null, 'x-api-key': null } : {}
