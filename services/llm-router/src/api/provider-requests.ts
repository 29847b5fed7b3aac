import type {
  ChatCompletionBody,
  ChatMessage,
  EmbeddingsBody,
  ImageBody,
  MessagesBody,
  ResponseItem,
  ResponsesBody,
} from '@parley/contracts'
import type { Target } from '../adapters/adapter.ts'
import { givesBytes } from '../adapters/image-adapters.ts'
import { publicBaseUrls } from '../providers.ts'
import { chatFormat, embeddingsFormat, imagesFormat, messagesFormat, responsesFormat } from './provider-formats.ts'
import type { ProviderRequest } from './relay-answer.ts'

/**
 * Fields that never reach a provider: the server decides on the destination and the key of a call, and on anything that makes an answer more
 * expensive or has it stored or processed elsewhere. Others pass.
 */
const dropped: ReadonlySet<string> = new Set([
  ...['api_base', 'base_url', 'api_key', 'api_version', 'api_type', 'organization', 'custom_llm_provider', 'timeout'],
  ...['extra_headers', 'extra_body', 'extra_query', 'headers', 'fallbacks', 'models', 'provider', 'route', 'plugins'],
  ...['transforms', 'service_tier', 'store', 'metadata', 'best_of', 'web_search_options', 'background'],
])

/** The fields that are passed on. Null means omitted, which not every provider knows. */
const passedOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== null && !dropped.has(field)))

/** OpenAI itself rather than a compatible provider. */
const isOpenAi = ({ provider, baseUrl }: Target): boolean =>
  provider === 'openai' && new URL(baseUrl).origin === new URL(publicBaseUrls.openai).origin

/** A message whose role every provider knows: `developer` is OpenAI's newer name for `system`. */
const withOlderRole = (message: ChatMessage): ChatMessage =>
  message.role === 'developer' ? { ...message, role: 'system' } : message

/** A chat completion for an OpenAI-compatible provider. */
export function chatRequest(target: Target, body: ChatCompletionBody): ProviderRequest {
  const isStream = body.stream === true
  return {
    path: 'chat/completions',
    headers: bearer(target),
    body: {
      ...passedOf(body),
      ...(!isOpenAi(target) && { messages: body.messages.map(withOlderRole) }),
      model: target.apiModelName,
      ...tokenLimit(target, body),
      ...(isStream && { stream_options: { ...body.stream_options, include_usage: true } }),
    },
    format: chatFormat,
    hidesUsage: isStream && body.stream_options?.include_usage !== true,
  }
}

/** The token limit of an answer, capped by the model's own, in one field that the provider knows: others would ignore it. */
function tokenLimit(target: Target, body: ChatCompletionBody) {
  const { provider, maxTokens } = target
  const { max_tokens: older, max_completion_tokens: newer } = body
  const limit = Math.min(newer ?? older ?? maxTokens, maxTokens)
  // OpenAI's reasoning models refuse the older name, and other providers know only that. A server registered as OpenAI may be either.
  return isOpenAi(target) || (provider === 'openai' && (newer != null || older == null))
    ? { max_completion_tokens: limit, max_tokens: undefined }
    : { max_tokens: limit, max_completion_tokens: undefined }
}

/** Anthropic's own tools: they cost extra and call other services. Its other typed tools are run by the caller. */
const runsAtAnthropic = /^(web_search|web_fetch|code_execution|mcp)_/

/** Without the thinking of other providers' models, which has no signature, and messages that consist of it: Anthropic would refuse both. */
function withoutForeignThinking(said: MessagesBody['messages'][number]) {
  if (typeof said.content === 'string') return [said]
  const content = said.content.filter(({ type, signature }) => type !== 'thinking' || signature !== '')
  return content.length === 0 && said.content.length > 0 ? [] : [{ ...said, content }]
}

/** A message for Anthropic. @param betas separated by commas */
export const messagesRequest = (target: Target, body: MessagesBody, betas?: string): ProviderRequest => ({
  path: 'v1/messages',
  headers: {
    'anthropic-version': '2023-06-01',
    ...(betas !== undefined && { 'anthropic-beta': betas }),
    ...(target.apiKey !== undefined && { 'x-api-key': target.apiKey }),
  },
  body: {
    ...body,
    messages: body.messages.flatMap(withoutForeignThinking),
    ...(body.tools && { tools: body.tools.filter(({ type }) => !runsAtAnthropic.test(String(type))) }),
    ...{ model: target.apiModelName, ...messageLimits(target, body) },
  },
  format: messagesFormat,
})

/** Anthropic refuses a smaller thinking budget, and one that exceeds the answer's limit. */
const leastThinking = 1_024

/** The token limits of a message, capped by the model's own: a thinking budget that no longer fits is reduced, or left out. */
function messageLimits({ maxTokens }: Target, { max_tokens: asked, thinking }: MessagesBody) {
  if (asked <= maxTokens || (thinking?.budget_tokens ?? 0) < maxTokens)
    return { max_tokens: Math.min(asked, maxTokens) }
  const budget = maxTokens - leastThinking
  return {
    max_tokens: maxTokens,
    thinking: budget < leastThinking ? { type: 'disabled' } : { ...thinking, budget_tokens: budget },
  }
}

/** Further fields that a Responses request must not use: stored responses, and OpenAI's own tools, which cost extra and call other services. */
const droppedOfResponses: ReadonlySet<string> = new Set(['previous_response_id', 'prompt', 'max_tool_calls'])

/** True for OpenAI itself: few compatible providers support the Responses API. */
export const takesResponses = isOpenAi

/** OpenAI would look for the reasoning of other models among the responses that it has stored. */
const isReadable = ({ type, encrypted_content: own }: ResponseItem): boolean => type !== 'reasoning' || Boolean(own)

/** What a stored response needs when it is continued: a model that reasons has no other access to its own reasoning. */
const reasoningContent = 'reasoning.encrypted_content'

/** A response request for OpenAI, which does not store it. @param isKept it may be continued */
export function responsesRequest(target: Target, body: ResponsesBody, isKept: boolean): ProviderRequest {
  const passed = Object.entries(body).filter(([field]) => !dropped.has(field) && !droppedOfResponses.has(field))
  const tools = body.tools?.filter(({ type }) => type === 'function' || type === 'custom')
  const { input, reasoning, include } = body
  // OpenAI refuses this for models that do not reason.
  const keepsReasoning = isKept && reasoning?.effort && reasoning.effort !== 'none'
  return {
    path: 'responses',
    headers: bearer(target),
    body: {
      ...Object.fromEntries(passed),
      ...(tools && { tools }),
      ...(typeof input !== 'string' && { input: input.filter(isReadable) }),
      ...(keepsReasoning && { include: [...new Set([...(include ?? []), reasoningContent])] }),
      ...{ model: target.apiModelName, store: false },
      max_output_tokens: Math.min(body.max_output_tokens ?? target.maxTokens, target.maxTokens),
    },
    format: responsesFormat,
  }
}

/** Embeddings for an OpenAI-compatible provider. */
export const embeddingsRequest = (target: Target, body: EmbeddingsBody): ProviderRequest => ({
  path: 'embeddings',
  headers: bearer(target),
  body: { ...passedOf(body), model: target.apiModelName },
  format: embeddingsFormat(body.encoding_format === 'base64'),
})

/** One image for an OpenAI-compatible provider. */
export function imageRequest(
  target: Target,
  { response_format: format, stream: _, ...body }: ImageBody,
): ProviderRequest {
  const isGiven = format === 'b64_json' && givesBytes(target)
  return {
    path: 'images/generations',
    headers: bearer(target),
    body: { ...body, ...(format != null && !isGiven && { response_format: format }), model: target.apiModelName, n: 1 },
    format: imagesFormat,
  }
}

const bearer = ({ apiKey }: Target): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
