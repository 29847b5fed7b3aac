import { z } from 'zod'
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
  /** Empty becomes the model's id. */
  apiModelName: text(200),
  enabled: z.boolean(),
  /** Tokens. */
  contextLength: z.number().int().min(1).max(100_000_000),
  /** Tokens of one answer. */
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

const required = new Set(['name', 'provider'])
/** All fields but id, name and provider may be left out; `modelDefaults` then holds, and the group is named after the provider. */
export const newModelSchema = z.strictObject({
  id: modelIdSchema,
  ...(Object.fromEntries(
    Object.entries(editableModel).map(([key, schema]) => [key, required.has(key) ? schema : schema.optional()]),
  ) as unknown as PartialBut<typeof editableModel, 'name' | 'provider'>),
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

/** A model as people pick it, which none for embeddings is; a `locked` one cannot be used. */
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
    body: z.strictObject(
      { enabled: z.boolean(), provider: z.enum(providerIds).optional() },
      // What has fields of a model is meant for one of them.
      { error: ({ code }) => (code === 'unrecognized_keys' ? 'model id required for update' : undefined) },
    ),
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
