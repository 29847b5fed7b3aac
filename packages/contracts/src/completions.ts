import { z } from 'zod'
import { undoRoute } from './audit.ts'
import { modelIdSchema, modelInfoSchema, providerIds, usageSchema } from './models.ts'
import { defineRoute } from './route.ts'

const service = 'llm-router'

/** A piece of a message: text, or a file with its bytes as base64. */
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

/** A call of a tool as the model made it; `arguments` is JSON, or what the model took for it. */
export const promptToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() })
export type PromptToolCall = z.infer<typeof promptToolCallSchema>

/** One message of a prompt. A `tool` message is the result of the call `toolCallId` of the assistant's message before it. */
export const promptMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(promptPartSchema).min(1)]) }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(promptToolCallSchema).optional() }),
  z.object({ role: z.literal('tool'), toolCallId: z.string(), content: z.string() }),
])
export type PromptMessage = z.infer<typeof promptMessageSchema>

/** A tool that a model may call; `parameters` is a JSON schema of an object. */
export const promptToolSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
})
export type PromptTool = z.infer<typeof promptToolSchema>

/** A prompt to be answered by a model. */
export const completionBodySchema = z.object({
  generationId: z.string(),
  model: modelIdSchema,
  messages: z.array(promptMessageSchema).min(1),
  /**
   * So many messages come before these: the first ones of this generation's last prompt, whose `end` said that it is kept. 409 `conflict` where it is not
   * kept (any more), as on another replica: the whole prompt is to be sent then.
   */
  after: z.number().int().min(1).optional(),
  /** Ignored by models without tools. */
  tools: z.array(promptToolSchema).max(20).optional(),
  /** Admins may use disabled models. */
  allowLocked: z.boolean(),
  /** Whom the hint `answer-delayed` tells of retries and fallbacks, and of which answer; nobody when it is left out. */
  watcher: z.object({ userId: z.string(), chatId: z.string(), messageId: z.string() }).optional(),
})
export type CompletionBody = z.infer<typeof completionBodySchema>

/** Why an answer lets people wait for its first piece, as it happens: in words of its own, nothing that a provider said. Models are named by their ids. */
export const answerDelaySchema = z.discriminatedUnion('state', [
  /** A call of the model failed; in `waitMs` comes its call number `attempt`, of at most `of`. Not a moment, since the clocks of devices differ. */
  z.object({
    state: z.literal('retrying'),
    model: z.string(),
    /** Whether the provider has too much to do, or failed otherwise. */
    reason: z.enum(['busy', 'failing']),
    attempt: z.number().int(),
    of: z.number().int(),
    waitMs: z.number().int(),
  }),
  /** `from` did not answer, so `model` is asked. */
  z.object({ state: z.literal('falling-back'), from: z.string(), model: z.string() }),
])
export type AnswerDelay = z.infer<typeof answerDelaySchema>

/**
 * One line of a completion's answer (`application/x-ndjson`). `start` comes first, when a provider has delivered its first frame and the
 * status can no longer change; `end` or `error` comes last. An empty line is a sign of life.
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
  /** A whole call; several may follow each other. The end's reason is then `tool_calls`. */
  z.object({ type: z.literal('tool'), call: promptToolCallSchema }),
  z.object({
    type: z.literal('end'),
    finishReason: z.enum(['stop', 'length', 'tool_calls']),
    usage: usageSchema,
    /** The prompt is kept for a while: the next one of this generation may name it by `after`. */
    kept: z.boolean().optional(),
    /** The replica that keeps it, as `address:port` inside: the next one of this generation is sent there. */
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

/** Models and completions, for chat, and the acts of admins that auth undoes. */
export const modelInternalRoutes = {
  undo: undoRoute(service),
  info: defineRoute({
    method: 'GET',
    path: '/internal/models/:id',
    service,
    access: 'service',
    summary: 'One model; 404 when unknown',
    params: z.object({ id: modelIdSchema }),
    answer: modelInfoSchema,
  }),
  complete: defineRoute({
    method: 'POST',
    path: '/internal/completions',
    service,
    access: 'service',
    stream: true,
    bodyLimit: 160 * 1024 * 1024,
    // A whole history with its parts and the results of tools.
    bodyValues: 1_000_000,
    summary: 'Run a completion; lines of completionLineSchema. Closing the connection cancels the provider call',
    body: completionBodySchema,
  }),
  image: defineRoute({
    method: 'POST',
    path: '/internal/images',
    service,
    access: 'service',
    summary: 'Make one image with an image model. Closing the connection cancels the provider call',
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
