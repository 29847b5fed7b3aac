import type {
  ChatCompletionBody,
  EmbeddingsBody,
  ImageBody,
  MessagesBody,
  Model,
  ResponsesBody,
} from '@parley/contracts'
import { type AppError, apiErrorBody, type Clock } from '@parley/kit'
import type { Adapter, Prompt, Target } from '../adapters/adapter.ts'
import type { ImageAdapter } from '../adapters/image-adapters.ts'
import { wrongType } from '../completion/candidates.ts'
import { fitPrompt } from '../completion/fit-prompt.ts'
import type { Timeouts } from '../completion/timeouts.ts'
import { requestImage } from '../images/make-image.ts'
import { makesEmbeddings } from '../model-rules.ts'
import type { ApiAnswer, AskOptions } from './api-answer.ts'
import { type AnswerWriter, eventText, type WriterOptions } from './dialects/answer-writer.ts'
import { chatPrompt } from './dialects/chat-prompt.ts'
import { createChatWriter } from './dialects/chat-writer.ts'
import { createPromptFiles, type PromptFiles } from './dialects/files.ts'
import { messagesPrompt } from './dialects/messages-prompt.ts'
import { createMessagesWriter } from './dialects/messages-writer.ts'
import { customTools, responsesPrompt } from './dialects/responses-prompt.ts'
import { createResponsesWriter, echoedFields } from './dialects/responses-writer.ts'
import {
  chatRequest,
  embeddingsRequest,
  imageRequest,
  messagesRequest,
  responsesRequest,
  takesResponses,
} from './provider-requests.ts'
import { type ProviderRequest, type RelayedRequest, relayAnswer } from './relay-answer.ts'
import type { ApiCall, ApiRequest, BuildApiCall } from './serve-request.ts'
import { estimateTokens } from './token-estimate.ts'
import { translatedAnswer } from './translated-answer.ts'

export interface ApiRequestDeps {
  readonly adapterOf: (model: Model) => Adapter
  readonly imageAdapterOf: (model: Model) => ImageAdapter | undefined
  /** For URLs from callers and providers: blocks private networks. */
  readonly fetchOutside: typeof fetch
  readonly timeouts: Timeouts
  readonly now: Clock
}

/** A prompt in one dialect, answered in the same. */
interface PromptRequest extends Omit<ApiRequest, 'modelType' | 'fault' | 'prepare'> {
  /** Whether a model at a target uses the same dialect. */
  readonly isRelayed: (model: Model, target: Target) => boolean
  /** The request in the same dialect. */
  readonly relay: (target: Target) => ProviderRequest
  /** The prompt for any other dialect. */
  readonly prompt: (files: PromptFiles) => Promise<Prompt>
  readonly writer: (options: WriterOptions) => AnswerWriter
}

const isAnthropic = ({ sdkType }: Model): boolean => sdkType === 'anthropic-sdk'

/** A request for text: relayed to providers that use its dialect, and translated for all others. */
function textRequest(deps: ApiRequestDeps, request: PromptRequest): ApiRequest {
  const translated = createTranslator(deps, request)
  const { isStream, inputTokens } = request
  return {
    ...request,
    modelType: 'text',
    fault: () => undefined,
    prepare: async (model, at, signal) =>
      request.isRelayed(model, at)
        ? (target) => relayed(target, { isStream, inputTokens, ...request.relay(target) })
        : translated(model, signal),
  }
}

/**
 * Prepares calls of providers that use another dialect. The prompt is translated at the first of them and kept for the others, because its images
 * are fetched for that.
 */
function createTranslator(
  { adapterOf, fetchOutside, timeouts, now }: ApiRequestDeps,
  { model: name, isStream, inputTokens, prompt, writer }: PromptRequest,
): (model: Model, signal: AbortSignal) => Promise<BuildApiCall> {
  let translating: Promise<Prompt> | undefined
  return async (model, signal) => {
    translating ??= prompt(
      createPromptFiles(fetchOutside, AbortSignal.any([signal, AbortSignal.timeout(timeouts.files)])),
    )
    const fitting = fitPrompt(await translating, model)
    return (target, generationId) => {
      const created = Math.floor(now().getTime() / 1000)
      const writes = writer({ generationId, model: name, created, inputTokens })
      const translation = { call: adapterOf(model)(target, fitting), prompt: fitting, writer: writes, isStream }
      return (options) => translatedAnswer(translation, options)
    }
  }
}

/** A call whose answer is relayed. */
const relayed =
  (target: Target, request: RelayedRequest): ApiCall =>
  (options) =>
    relayAnswer(target, request, options)

/** An error as the last event of a stream, in OpenAI's format. */
const openaiErrorEvent = (error: AppError, requestId: string): Uint8Array =>
  Buffer.from(eventText(apiErrorBody(error, requestId, 'openai')))

/** A chat completion. */
export const chatCompletion = (deps: ApiRequestDeps, body: ChatCompletionBody): ApiRequest =>
  textRequest(deps, {
    ...{ model: body.model, isStream: body.stream === true },
    inputTokens: estimateTokens(body.messages) + estimateTokens(body.tools),
    outputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    isRelayed: (model) => !isAnthropic(model),
    relay: (target) => chatRequest(target, body),
    prompt: (files) => chatPrompt(body, files),
    writer: (options) => createChatWriter(options, body.stream_options?.include_usage === true),
    errorEvent: openaiErrorEvent,
  })

/** A message in Anthropic's format. @param betas beta features to pass to Anthropic, separated by commas */
export const message = (deps: ApiRequestDeps, body: MessagesBody, betas?: string): ApiRequest =>
  textRequest(deps, {
    ...{ model: body.model, isStream: body.stream === true },
    inputTokens: estimateTokens(body.messages) + estimateTokens(body.system) + estimateTokens(body.tools),
    outputTokens: body.max_tokens,
    isRelayed: isAnthropic,
    relay: (target) => messagesRequest(target, body, betas),
    prompt: (files) => messagesPrompt(body, files),
    writer: createMessagesWriter,
    errorEvent: (error, requestId) => Buffer.from(eventText(apiErrorBody(error, requestId, 'anthropic'), 'error')),
  })

/** An error as the last events of a response: the official clients throw at the first one, others read only the second. */
function responseErrorEvents(error: AppError, requestId: string, answerId = `resp_${requestId}`): Uint8Array {
  const { code, message: text } = error
  const event = (type: string, data: object): string =>
    // Several clients require a number, and none orders by it.
    eventText({ type, sequence_number: 0, ...data }, type)
  const failed = { id: answerId, object: 'response', status: 'failed', error: { code: 'server_error', message: text } }
  return Buffer.from(
    event('error', { code, message: text, param: null, ...apiErrorBody(error, requestId, 'openai') }) +
      event('response.failed', { response: { ...failed, output: [] } }),
  )
}

/** A response in OpenAI's Responses format, translated for all providers except OpenAI. @param keep stores it, unless undefined */
export const response = (deps: ApiRequestDeps, body: ResponsesBody, keep?: ApiRequest['keep']): ApiRequest =>
  textRequest(deps, {
    ...{ model: body.model, isStream: body.stream === true },
    inputTokens: estimateTokens(body.input) + estimateTokens(body.instructions) + estimateTokens(body.tools),
    outputTokens: body.max_output_tokens ?? undefined,
    isRelayed: (_model, target) => takesResponses(target),
    relay: (target) => responsesRequest(target, body, keep !== undefined),
    prompt: (files) => responsesPrompt(body, files),
    writer: (options) => createResponsesWriter(options, customTools(body), echoedFields(body, keep !== undefined)),
    keep,
    errorEvent: responseErrorEvents,
  })

/** Embeddings. Models registered for them before the embedding type existed have the type text. */
export function embeddings(body: EmbeddingsBody): ApiRequest {
  const figures = { isStream: false, inputTokens: estimateTokens(body.input) }
  return {
    ...{ model: body.model, modelType: 'embedding', otherType: 'text' },
    ...{ ...figures, outputTokens: 0 },
    fault: (model) => (makesEmbeddings(model) ? undefined : wrongType.embedding),
    prepare: async () => (target) => relayed(target, { ...figures, ...embeddingsRequest(target, body) }),
    errorEvent: openaiErrorEvent,
  }
}

/** One image. */
export function image(deps: ApiRequestDeps, body: ImageBody): ApiRequest {
  return {
    ...{ model: body.model, modelType: 'image', isStream: false },
    ...{ inputTokens: estimateTokens(body.prompt), outputTokens: 0 },
    fault: (model) => (isAnthropic(model) ? 'This model doesn’t create images' : undefined),
    prepare: async (model) => (target) =>
      model.sdkType === 'openrouter'
        ? (options) => imageInChat(deps, model, target, { prompt: body.prompt, options })
        : relayed(target, { isStream: false, inputTokens: 0, ...imageRequest(target, body) }),
    errorEvent: openaiErrorEvent,
  }
}

/** OpenRouter generates images in chat completions only. */
async function imageInChat(
  { imageAdapterOf, fetchOutside, now }: ApiRequestDeps,
  model: Model,
  target: Target,
  { prompt, options }: { readonly prompt: string; readonly options: AskOptions },
): Promise<ApiAnswer> {
  const adapter = imageAdapterOf(model) as ImageAdapter
  const made = await requestImage(adapter, target, { prompt, signal: options.signal, fetchOutside })
  const body = {
    created: Math.floor(now().getTime() / 1000),
    data: [{ b64_json: Buffer.from(made.bytes).toString('base64') }],
  }
  return {
    pieces: (async function* () {})(),
    closing: () => Buffer.from(JSON.stringify(body)),
    id: () => undefined,
    hasOutput: () => true,
    usage: () => ({ inputTokens: 0, outputTokens: 0, estimated: true }),
    cancel: () => undefined,
  }
}
