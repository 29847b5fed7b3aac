import { z } from 'zod'
import { undoRoute } from '../auth/audit.ts'
import { routesFor } from '../route.ts'
import { modelIdSchema, modelInfoSchema, providerIds, usageSchema } from './models.ts'

const internal = routesFor('llm-router', 'service')

/** A part of a message: text, or a file as base64. */
export const promptPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    mimeType: z.string(),
    data: z.string(),
    detail: z.enum(['auto', 'low', 'high']),
  }),
  z.object({ type: z.literal('file'), mimeType: z.literal('application/pdf'), data: z.string(), name: z.string() }),
])
export type PromptPart = z.infer<typeof promptPartSchema>

/** A tool call of the model; `arguments` should be JSON, but comes unchecked from the model. */
export const promptToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() })
export type PromptToolCall = z.infer<typeof promptToolCallSchema>

/** A message of a prompt. A `tool` message is the result of the call `toolCallId` in the preceding assistant message. */
export const promptMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(promptPartSchema).min(1)]) }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(promptToolCallSchema).optional() }),
  z.object({ role: z.literal('tool'), toolCallId: z.string(), content: z.string() }),
])
export type PromptMessage = z.infer<typeof promptMessageSchema>

/** A tool that a model may call; `parameters` is the JSON schema of an object, which the arguments of a `strict` one always match. */
export const promptToolSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.boolean().optional(),
})
export type PromptTool = z.infer<typeof promptToolSchema>

/** A completion request. */
export const completionBodySchema = z.object({
  generationId: z.string(),
  model: modelIdSchema,
  messages: z.array(promptMessageSchema).min(1),
  /**
   * The number of leading messages to reuse from this generation's last prompt, whose `end` had `kept`. 409 `conflict` if that prompt is not cached
   * (any more), as on another replica: send the whole prompt then.
   */
  after: z.number().int().min(1).optional(),
  /** Ignored by models without tools. */
  tools: z.array(promptToolSchema).max(20).optional(),
  /** Admins may use disabled models. */
  allowLocked: z.boolean(),
  /** The recipient and answer of the hint `answer-delayed` about retries and fallbacks; without it none is sent. */
  watcher: z.object({ userId: z.string(), chatId: z.string(), messageId: z.string() }).optional(),
})
export type CompletionBody = z.infer<typeof completionBodySchema>

/** Why an answer's first token is delayed. Contains no text of a provider. Models are given by id. */
export const answerDelaySchema = z.discriminatedUnion('state', [
  /** A call of the model failed; call number `attempt` of at most `of` follows in `waitMs`. A duration, since the clocks of devices differ. */
  z.object({
    state: z.literal('retrying'),
    model: z.string(),
    /** Whether the provider is overloaded or failed otherwise. */
    reason: z.enum(['busy', 'failing']),
    attempt: z.number().int(),
    of: z.number().int(),
    waitMs: z.number().int(),
  }),
  /** `from` did not answer, so `model` is called instead. */
  z.object({ state: z.literal('falling-back'), from: z.string(), model: z.string() }),
])
export type AnswerDelay = z.infer<typeof answerDelaySchema>

/**
 * A line of a completion's answer (`application/x-ndjson`). `start` is first, once a provider has delivered its first frame and the status is
 * final; `end` or `error` is last. An empty line is a keep-alive.
 */
export const completionLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    model: z.string(),
    provider: z.enum(providerIds),
    creditsPerMessage: z.number().int(),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  /** A complete tool call; there may be several. The finish reason is then `tool_calls`. */
  z.object({ type: z.literal('tool'), call: promptToolCallSchema }),
  z.object({
    type: z.literal('end'),
    finishReason: z.enum(['stop', 'length', 'tool_calls']),
    usage: usageSchema,
    /** The prompt is cached for a while: the next request of this generation may reuse it with `after`. */
    kept: z.boolean().optional(),
    /** The internal `address:port` of the replica that caches it, for the next request of this generation. */
    keptAt: z.string().optional(),
  }),
  z.object({
    type: z.literal('error'),
    code: z.enum(['provider_error', 'provider_timeout']),
    error: z.string(),
    usage: usageSchema,
  }),
])
export type CompletionLine = z.infer<typeof completionLineSchema>

/** Internal routes of models and completions for chat, and of undoing for auth. */
export const modelInternalRoutes = {
  undo: undoRoute('llm-router'),
  info: internal.get('/internal/models/:id', {
    summary: 'One model; 404 when unknown',
    params: z.object({ id: modelIdSchema }),
    answer: modelInfoSchema,
  }),
  complete: internal.post('/internal/completions', {
    stream: true,
    bodyLimit: 160 * 1024 * 1024,
    // Enough for a whole history with parts and tool results.
    bodyValues: 1_000_000,
    summary: 'Run a completion; lines of completionLineSchema. Closing the connection cancels the provider call',
    body: completionBodySchema,
  }),
  image: internal.post('/internal/images', {
    summary: 'Generate one image with an image model. Closing the connection cancels the provider call',
    body: z.object({
      generationId: z.string(),
      model: modelIdSchema,
      prompt: z.string().min(1),
      allowLocked: z.boolean(),
    }),
    answer: z.object({
      model: z.string(),
      creditsPerMessage: z.number().int(),
      mimeType: z.string(),
      /** Base64. */
      data: z.string(),
    }),
  }),
}
