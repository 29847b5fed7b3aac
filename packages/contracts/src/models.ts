import { z } from 'zod'
import { undoRoute } from './audit.ts'
import { flagSchema, listFormat, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

/** Providers of models, in the order they are shown. */
export const providerIds = ['openai', 'anthropic', 'xai', 'google', 'deepseek', 'openrouter'] as const
export type ProviderId = (typeof providerIds)[number]
/** How a model is spoken to. */
export const sdkTypes = ['openai-sdk', 'xai-sdk', 'openrouter', 'anthropic-sdk', 'fetch'] as const
export type SdkType = (typeof sdkTypes)[number]

/** The model every guest is given. */
export const guestModelId = 'v3'

/** A model's id in the registry; it may contain slashes. */
export const modelIdSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/, 'Malformed model id')
const headerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'Malformed header name')
    .refine(
      (name) =>
        !/^(authorization|host|content-length|content-type|connection|transfer-encoding|cookie|x-api-key)$/i.test(name),
      'This header can’t be set',
    ),
  value: z
    .string()
    .max(1000)
    .regex(/^[\t\x20-\x7e]*$/, 'Malformed header value'),
})

/** Micro-dollars per million tokens; null takes it away. */
const priceSchema = z.number().int().min(0).max(1_000_000_000_000).nullable().optional()

const editableModel = {
  name: text(100).min(1),
  description: text(1000),
  provider: z.enum(providerIds),
  group: text(100).min(1),
  /** Base URL as the provider's SDK means it; empty for the provider's own. */
  apiEndpoint: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]),
  /** Empty means the model's id. */
  apiModelName: text(200),
  enabled: z.boolean(),
  /** Tokens. */
  contextLength: z.number().int().min(1).max(100_000_000),
  /** Tokens of one answer. */
  maxTokens: z.number().int().min(1).max(10_000_000),
  temperature: z.number().min(0).max(2),
  modelType: z.enum(['text', 'image']),
  supportsThinking: z.boolean(),
  supportsTools: z.boolean(),
  supportsImageAttachments: z.boolean(),
  supportsFileAttachments: z.boolean(),
  creditsPerMessage: z.number().int().min(0).max(1_000_000),
  /** 0 means no limit. */
  requestsPerMinute: z.number().int().min(0).max(10_000_000),
  /** 0 means no limit. */
  tokensPerMinute: z.number().int().min(0).max(1_000_000_000),
  customHeaders: z.array(headerSchema).max(20),
  sdkType: z.enum(sdkTypes),
  fallbackModels: z.array(modelIdSchema).max(5),
  /** What the provider charges; left out where it is not known. */
  inputPrice: priceSchema,
  outputPrice: priceSchema,
}
/** What a new model has for the fields that are left out. */
export const modelDefaults = {
  description: '',
  apiEndpoint: '',
  apiModelName: '',
  enabled: true,
  contextLength: 128_000,
  maxTokens: 8_192,
  temperature: 1,
  modelType: 'text',
  supportsThinking: false,
  supportsTools: false,
  supportsImageAttachments: false,
  supportsFileAttachments: false,
  creditsPerMessage: 1,
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  customHeaders: [],
  sdkType: 'openai-sdk',
  fallbackModels: [],
} as const satisfies Partial<z.input<z.ZodObject<typeof editableModel>>>

/** A model of the registry as admins see it. */
export const modelSchema = z.object({
  id: modelIdSchema,
  ...editableModel,
  version: z.number().int(),
  usage: z.object({ totalRequests: z.number(), averageResponseMs: z.number(), lastUsed: timeSchema.nullable() }),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  updatedBy: z.string().nullable(),
})
export type Model = z.infer<typeof modelSchema>

const required = new Set(['name', 'provider', 'group'])
/** All fields but id, name, provider and group may be left out; `modelDefaults` then holds. */
export const newModelSchema = z.strictObject({
  id: modelIdSchema,
  ...(Object.fromEntries(
    Object.entries(editableModel).map(([key, schema]) => [key, required.has(key) ? schema : schema.optional()]),
  ) as unknown as PartialBut<typeof editableModel, 'name' | 'provider' | 'group'>),
})
type PartialBut<T extends Record<string, z.ZodType>, K extends keyof T> = {
  [P in keyof T]: P extends K ? T[P] : z.ZodOptional<T[P]>
}
/** A model that may be tried before it is saved, or as it was read. */
const triedModelSchema = newModelSchema.extend({
  ...modelSchema.pick({ usage: true, createdAt: true, updatedAt: true, updatedBy: true }).partial().shape,
  version: z.number().int().optional(),
})
/** What to ask for at most 300 tokens, in place of one word for at most 16; an empty system prompt is the built-in one. */
const trialSchema = z.strictObject({ systemPrompt: text(20_000), question: text(2_000).min(1) })
/** The id cannot be changed. 409 when `version` is not the present one. */
export const modelPatchSchema = z.strictObject({ ...editableModel, version: z.number().int() }).partial()

/** A model as people pick it; a `locked` one cannot be used. */
export const hierarchyModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  modelType: z.enum(['text', 'image']),
  locked: z.boolean(),
  creditsPerMessage: z.number(),
  contextLength: z.number(),
  supportsThinking: z.boolean(),
  supportsTools: z.boolean(),
  supportsImageAttachments: z.boolean(),
  supportsFileAttachments: z.boolean(),
  /** False while its provider does not answer: calls of it fail at once, or fall back. Left out by the version before. */
  available: z.boolean().optional(),
})
export type HierarchyModel = z.infer<typeof hierarchyModelSchema>
/** The models as people pick them, by provider and group. */
export const hierarchySchema = z.object({
  providers: z.array(
    z.object({
      id: z.enum(providerIds),
      name: z.string(),
      /** What the operator says of this provider, such as that its answers are a demonstration; null for nothing. */
      notice: z.string().nullable(),
      groups: z.array(z.object({ name: z.string(), models: z.array(hierarchyModelSchema) })),
    }),
  ),
})
export type Hierarchy = z.infer<typeof hierarchySchema>

const service = 'llm-router'
const oneModel = z.object({ model: modelSchema })
/** Models, for guests and users. */
export const modelRoutes = {
  hierarchy: defineRoute({
    method: 'GET',
    path: '/chat/models/hierarchy',
    service,
    access: 'guest',
    viewable: true,
    summary: 'Models by provider and group; ETag and 304',
    answer: hierarchySchema,
  }),
}
/** The registry, for admins. */
export const modelAdminRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/admin/models',
    service,
    access: 'admin',
    summary: 'The registry; `query` is searched for in id, name, group and description',
    query: z.object({
      ...listFormat,
      query: text(200).optional(),
      provider: z.enum(providerIds).optional(),
      enabled: flagSchema.optional(),
    }),
    answer: z.object({ models: z.array(modelSchema) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/admin/models',
    service,
    access: 'admin',
    summary: 'Add a model',
    body: newModelSchema,
    answer: oneModel,
    status: 201,
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/admin/models/:id',
    service,
    access: 'admin',
    summary: 'Change a model; 409 when `version` is not the present one',
    params: z.object({ id: modelIdSchema }),
    body: modelPatchSchema,
    answer: oneModel,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/admin/models/:id',
    service,
    access: 'admin',
    summary: 'Delete a model for good',
    params: z.object({ id: modelIdSchema }),
    status: 204,
  }),
  test: defineRoute({
    method: 'POST',
    path: '/admin/models/test',
    service,
    access: 'admin',
    // A provider may take half a minute.
    stream: true,
    summary: 'Call a model once, saved or not, charged to nobody, or try a prompt; 200 also when its provider fails',
    body: z
      .strictObject({ id: modelIdSchema.optional(), model: triedModelSchema.optional(), trial: trialSchema.optional() })
      .refine(({ id, model }) => (id === undefined) !== (model === undefined), 'Give either an id or a model'),
    answer: z.object({
      ok: z.boolean(),
      /** Milliseconds to the end of the answer or to its failure. */
      latencyMs: z.number().int(),
      /** What the model said. */
      text: z.string().optional(),
      error: z.string().optional(),
      /** HTTP status of a provider that refused. */
      status: z.number().int().optional(),
    }),
  }),
  toggle: defineRoute({
    method: 'PATCH',
    path: '/admin/models',
    service,
    access: 'admin',
    summary: 'Enable or disable a provider, or all',
    body: z.strictObject({ enabled: z.boolean(), provider: z.enum(providerIds).optional() }),
    answer: z.object({ models: z.array(modelSchema) }),
  }),
}

/** What chat needs to decide before an answer: existence, lock, price, size. */
export const modelInfoSchema = modelSchema.pick({
  id: true,
  name: true,
  provider: true,
  enabled: true,
  modelType: true,
  creditsPerMessage: true,
  contextLength: true,
  maxTokens: true,
  supportsThinking: true,
  supportsTools: true,
  supportsImageAttachments: true,
  supportsFileAttachments: true,
})
export type ModelInfo = z.infer<typeof modelInfoSchema>

/** Tokens that an answer used. */
export const usageSchema = z.object({
  inputTokens: z.number().int().min(0),
  outputTokens: z.number().int().min(0),
  /** True when the provider gave no figures and they were counted here. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usageSchema>

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
  /** Whom the hint `answer-delayed` tells of retries and fallbacks; nobody when it is left out. */
  watcher: z.object({ userId: z.string(), chatId: z.string() }).optional(),
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
