import { z } from 'zod'
import { flagSchema, listFormat, text, timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'

/** Providers of models, in display order. */
export const providerIds = ['openai', 'anthropic', 'xai', 'google', 'deepseek', 'openrouter'] as const
export type ProviderId = (typeof providerIds)[number]
/** The clients for calling models. */
export const sdkTypes = ['openai-sdk', 'xai-sdk', 'openrouter', 'anthropic-sdk', 'fetch'] as const
export type SdkType = (typeof sdkTypes)[number]

/** The model for guests. */
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

/** Micro-dollars per million tokens; null removes it. */
const priceSchema = z.number().int().min(0).max(1_000_000_000_000).nullable().optional()

const editableModel = {
  name: text(100).min(1),
  description: text(1000),
  provider: z.enum(providerIds),
  group: text(100).min(1),
  /** Base URL in the sense of the provider's SDK; empty for the default. */
  apiEndpoint: z.union([
    z.literal(''),
    z
      .url({ protocol: /^https?$/, error: 'Enter an address that starts with https:// or http://' })
      .max(500, 'At most 500 characters'),
  ]),
  /** Empty for the model's id. */
  apiModelName: text(200),
  enabled: z.boolean(),
  /** In tokens. */
  contextLength: z.number().int().min(1).max(100_000_000),
  /** Tokens per answer. */
  maxTokens: z.number().int().min(1).max(10_000_000),
  temperature: z.number().min(0).max(2),
  modelType: z.enum(['text', 'image', 'embedding']),
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
  /** The provider's price; omitted if unknown. */
  inputPrice: priceSchema,
  outputPrice: priceSchema,
}
/** Defaults for omitted fields of a new model. */
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

/** A model of the registry, for admins. */
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

/** Only id, name and provider are required; other fields default to `modelDefaults`, and the group to the provider's name. */
export const newModelSchema = z.strictObject({
  ...z.object(editableModel).partial().shape,
  id: modelIdSchema,
  name: editableModel.name,
  provider: editableModel.provider,
})
/** A model to try, saved or not. */
const triedModelSchema = newModelSchema.extend({
  ...modelSchema.pick({ usage: true, createdAt: true, updatedAt: true, updatedBy: true }).partial().shape,
  version: z.number().int().optional(),
})
/** A custom prompt with up to 300 tokens of answer, instead of the default test with up to 16; an empty system prompt means the built-in one. */
const trialSchema = z.strictObject({ systemPrompt: text(20_000), question: text(2_000).min(1) })
/** The id cannot be changed. 409 if `version` is not current. */
export const modelPatchSchema = z.strictObject({ ...editableModel, version: z.number().int() }).partial()

/** What both chat and the picker need. */
const traits = {
  id: true,
  name: true,
  creditsPerMessage: true,
  contextLength: true,
  supportsThinking: true,
  supportsTools: true,
  supportsImageAttachments: true,
  supportsFileAttachments: true,
} as const
/** A model in the picker, which excludes embedding models; a `locked` one cannot be used. */
export const hierarchyModelSchema = modelSchema.pick({ ...traits, description: true }).extend({
  modelType: z.enum(['text', 'image']),
  locked: z.boolean(),
  /** False while its provider does not answer: calls fail at once or fall back. Omitted by the previous version. */
  available: z.boolean().optional(),
})
export type HierarchyModel = z.infer<typeof hierarchyModelSchema>
/** The models in the picker, by provider and group. */
export const hierarchySchema = z.object({
  providers: z.array(
    z.object({
      id: z.enum(providerIds),
      name: z.string(),
      /** A notice about this provider, such as that the demo answers; null for none. */
      notice: z.string().nullable(),
      groups: z.array(z.object({ name: z.string(), models: z.array(hierarchyModelSchema) })),
    }),
  ),
  /** Ids of the usable embedding models, the cheapest first, for programs: nobody chats with them. Omitted by the previous version. */
  embeddingModels: z.array(z.string()).optional(),
})
export type Hierarchy = z.infer<typeof hierarchySchema>

const guest = routesFor('llm-router', 'guest')
const admin = routesFor('llm-router', 'admin')
const oneModel = z.object({ model: modelSchema })
/** Routes of models, for guests and users. */
export const modelRoutes = {
  hierarchy: guest.get('/chat/models/hierarchy', {
    viewable: true,
    summary: 'Models by provider and group; ETag and 304',
    answer: hierarchySchema,
  }),
}
/** Routes of the registry, for admins. */
export const modelAdminRoutes = {
  list: admin.get('/admin/models', {
    summary: 'The registry; `query` searches id, name, group and description',
    query: z.object({
      ...listFormat,
      query: text(200).optional(),
      provider: z.enum(providerIds).optional(),
      enabled: flagSchema.optional(),
    }),
    answer: z.object({ models: z.array(modelSchema) }),
  }),
  create: admin.post('/admin/models', {
    summary: 'Add a model',
    body: newModelSchema,
    answer: oneModel,
    status: 201,
  }),
  update: admin.patch('/admin/models/:id', {
    summary: 'Change a model; 409 if `version` is not current',
    params: z.object({ id: modelIdSchema }),
    body: modelPatchSchema,
    answer: oneModel,
  }),
  remove: admin.delete('/admin/models/:id', {
    summary: 'Delete a model for good',
    params: z.object({ id: modelIdSchema }),
    status: 204,
  }),
  test: admin.post('/admin/models/test', {
    // A provider may take half a minute.
    stream: true,
    summary:
      'Test a model with one call, saved or not, free of charge, or try a prompt; 200 even if its provider fails',
    body: z
      .strictObject({ id: modelIdSchema.optional(), model: triedModelSchema.optional(), trial: trialSchema.optional() })
      .refine(({ id, model }) => (id === undefined) !== (model === undefined), 'Give either an id or a model'),
    answer: z.object({
      ok: z.boolean(),
      /** Milliseconds until the answer ended or failed. */
      latencyMs: z.number().int(),
      /** The model's answer. */
      text: z.string().optional(),
      error: z.string().optional(),
      /** HTTP status of a refusal by the provider. */
      status: z.number().int().optional(),
    }),
  }),
  toggle: admin.patch('/admin/models', {
    summary: 'Enable or disable a provider, or all',
    body: z.strictObject(
      { enabled: z.boolean(), provider: z.enum(providerIds).optional() },
      // A body with fields of a model was meant for a single model.
      { error: ({ code }) => (code === 'unrecognized_keys' ? 'model id required for update' : undefined) },
    ),
    answer: z.object({ models: z.array(modelSchema) }),
  }),
}

/** The facts about a model that chat needs before an answer: existence, lock, price, size. */
export const modelInfoSchema = modelSchema.pick({
  ...traits,
  provider: true,
  enabled: true,
  modelType: true,
  maxTokens: true,
})
export type ModelInfo = z.infer<typeof modelInfoSchema>

/** Token usage of an answer. */
export const usageSchema = z.object({
  inputTokens: z.number().int().min(0),
  outputTokens: z.number().int().min(0),
  /** True if the provider gave no counts and they were estimated here. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usageSchema>
