import { z } from 'zod'
import { keyLimitsSchema, keyTierSchema } from './key-tiers.ts'
import {
  adminPageQuerySchema,
  filledText,
  idParamsSchema,
  idSchema,
  messageAnswerSchema,
  text,
  timeSchema,
} from './primitives.ts'
import { defineRoute } from './route.ts'

/** Most API keys of one user that are not revoked. */
export const maxKeysPerUser = 100

const usageTotals = {
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
}
/** What was asked for with a key. */
export const keyUsageSchema = z.object({
  ...usageTotals,
  /** A count in it was estimated. */
  estimated: z.boolean(),
  models: z.array(z.object({ model: z.string(), ...usageTotals, averageResponseMs: z.number().int() })),
})
export type KeyUsage = z.infer<typeof keyUsageSchema>

/** An API key as its owner sees it. The secret is nowhere in it. */
export const apiKeySchema = z.object({
  id: z.string(),
  label: z.string(),
  /** How the secret begins, such as `sk-Ab12`. */
  prefix: z.string(),
  lastFour: z.string(),
  tier: keyTierSchema,
  createdAt: timeSchema,
  /** Up to a minute old. */
  lastUsed: timeSchema.nullable(),
  expiresAt: timeSchema.nullable(),
  limits: z.object({
    requests: z.number().int(),
    windowMinutes: z.number().int(),
    /** Of the window that runs; null while that cannot be found out. */
    remaining: z.number().int().nullable(),
  }),
  /** `monthly` counts from the first of the month, UTC. */
  usage: z.object({
    total: keyUsageSchema,
    monthly: keyUsageSchema,
    /** The last 30 days, UTC, oldest first, without those that had no request; a reset does not empty them. Versions before do not tell. */
    days: z.array(z.object({ date: z.iso.date(), requests: z.number().int() })).optional(),
  }),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** An API key as admins see it. */
export const adminApiKeySchema = apiKeySchema.extend({
  userId: z.string(),
  /** Null while auth cannot be asked. */
  username: z.string().nullable(),
  customLimits: keyLimitsSchema.nullable(),
  version: z.number().int(),
})
export type AdminApiKey = z.infer<typeof adminApiKeySchema>

const service = 'billing'
const labelSchema = filledText(100)
const secretAnswer = z.object({
  key: apiKeySchema,
  /** Shown this once; only its hash is kept. */
  secret: z.string(),
})
/** A user's own API keys. */
export const keyRoutes = {
  keys: defineRoute({
    method: 'GET',
    path: '/user/keys',
    service,
    access: 'user',
    viewable: true,
    summary: 'API keys of the signed-in user, newest first',
    answer: z.object({ keys: z.array(apiKeySchema) }),
  }),
  createKey: defineRoute({
    method: 'POST',
    path: '/user/keys',
    service,
    access: 'user',
    summary: 'Make an API key; its secret is shown this once. 409 beyond 100 keys',
    body: z.strictObject({ label: labelSchema, expiresAt: timeSchema.nullish() }),
    answer: secretAnswer,
    status: 201,
  }),
  updateKey: defineRoute({
    method: 'PATCH',
    path: '/user/keys/:id',
    service,
    access: 'user',
    summary: 'Rename an API key, or let it expire; null clears the expiry',
    params: idParamsSchema,
    body: z.strictObject({ label: labelSchema, expiresAt: timeSchema.nullable() }).partial(),
    answer: z.object({ key: apiKeySchema }),
  }),
  rotateKey: defineRoute({
    method: 'POST',
    path: '/user/keys/:id/rotate',
    service,
    access: 'user',
    summary: 'Give an API key another secret; the old one is good until the overlap ends',
    params: idParamsSchema,
    body: z.strictObject({ overlapMinutes: z.number().int().min(0).max(10_080).default(60) }),
    bodyOptional: true,
    answer: secretAnswer,
    status: 201,
  }),
  revokeKey: defineRoute({
    method: 'DELETE',
    path: '/user/keys/:id',
    service,
    access: 'user',
    summary: 'Revoke an API key',
    params: idParamsSchema,
    status: 204,
  }),
}

const oneAdminKey = z.object({ key: adminApiKeySchema })
/** All API keys, for admins. */
export const keyAdminRoutes = {
  keys: defineRoute({
    method: 'GET',
    path: '/admin/keys',
    service,
    access: 'admin',
    summary:
      'API keys of all users, newest first; `query` is searched for in label, id, what is shown of the secret, and the name of the owner',
    query: adminPageQuerySchema.extend({
      query: text(200).optional(),
      userId: text(64).optional(),
      tier: z.enum(['1', '2', '3', '4', '5']).optional(),
    }),
    answer: z.object({ keys: z.array(adminApiKeySchema), nextCursor: z.string().nullable() }),
  }),
  verifyKey: defineRoute({
    method: 'POST',
    path: '/admin/keys/verify',
    service,
    access: 'admin',
    summary: 'Whether a secret is that of an API key, and of which',
    body: z.strictObject({ key: text(200) }),
    answer: messageAnswerSchema.extend({
      /** `found`: of the key in `key` · `no_record`: well formed, yet of none · `malformed`: not the form of a secret */
      result: z.enum(['found', 'no_record', 'malformed']),
      valid: z.boolean(),
      key: adminApiKeySchema.nullable(),
    }),
  }),
  updateKey: defineRoute({
    method: 'PATCH',
    path: '/admin/keys/:id',
    service,
    access: 'admin',
    summary: 'Set the tier of an API key; tier 5 takes custom limits. 409 when `version` is not the present one',
    params: idParamsSchema,
    body: z.strictObject({
      tier: keyTierSchema,
      customLimits: keyLimitsSchema.optional(),
      version: z.number().int().optional(),
    }),
    answer: oneAdminKey,
  }),
  revokeKey: defineRoute({
    method: 'DELETE',
    path: '/admin/keys/:id',
    service,
    access: 'admin',
    summary: 'Revoke an API key',
    params: idParamsSchema,
    status: 204,
  }),
  resetUsage: defineRoute({
    method: 'POST',
    path: '/admin/keys/:id/reset-usage',
    service,
    access: 'admin',
    summary: 'Set the usage of an API key to nothing',
    params: idParamsSchema,
    answer: oneAdminKey,
  }),
  resetAllUsage: defineRoute({
    method: 'POST',
    path: '/admin/keys/reset-usage',
    service,
    access: 'admin',
    summary: 'Set the usage of every API key to nothing',
    answer: z.object({ reset: z.number().int() }),
  }),
}

/** What the gateway keeps of a key to let its requests through. */
export const knownKeySchema = z.object({
  keyId: z.string(),
  userId: z.string(),
  tier: keyTierSchema,
  customLimits: keyLimitsSchema.nullable(),
  /** When this secret stops being good: the key's expiry, or the end of the overlap after a rotation. */
  endsAt: timeSchema.nullable(),
})
export type KnownKey = z.infer<typeof knownKeySchema>
/** API keys, for the gateway and llm-router. */
export const keyInternalRoutes = {
  /** Asked by hash, so that no secret travels inside. A key that was used is noted as used, at most once a minute. */
  find: defineRoute({
    method: 'GET',
    path: '/internal/keys/:hash',
    service,
    access: 'service',
    summary:
      'The API key that a secret is of, by the SHA-256 of the secret in hex; `key` is null where there is none, it is revoked or over',
    params: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: z.object({ key: knownKeySchema.nullable() }),
  }),
  /** For the key itself, whose program asks by it. */
  show: defineRoute({
    method: 'GET',
    path: '/internal/users/:userId/keys/:id',
    service,
    access: 'service',
    summary: 'An API key as its owner sees it; 404 when it is revoked',
    params: z.object({ userId: idSchema, id: idSchema }),
    answer: z.object({ key: apiKeySchema }),
  }),
}
