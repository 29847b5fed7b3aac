import { z } from 'zod'
import { adminPageQuerySchema, filledText, idSchema, messageAnswerSchema, text, timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'
import { givenTierSchema, keyLimitsSchema, keyTierSchema } from './key-tiers.ts'
import { requestTotals } from './usage.ts'

/** Limit of active API keys per user. */
export const maxKeysPerUser = 100

/** Usage of a key. */
export const keyUsageSchema = z.object({
  ...requestTotals,
  /** True if any count is an estimate. */
  estimated: z.boolean(),
  models: z.array(z.object({ model: z.string(), ...requestTotals, averageResponseMs: z.number().int() })),
})
export type KeyUsage = z.infer<typeof keyUsageSchema>

/** An API key, for its owner. Without the secret. */
export const apiKeySchema = z.object({
  id: z.string(),
  label: z.string(),
  /** The beginning of the secret, such as `sk-Ab12`. */
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
    /** Remaining requests in the current window; null if the counter is unavailable. */
    remaining: z.number().int().nullable(),
  }),
  /** `monthly` counts from the first of the month, UTC. */
  usage: z.object({
    total: keyUsageSchema,
    monthly: keyUsageSchema,
    /** The last 30 days with requests, UTC, oldest first; a reset keeps them. Omitted by earlier versions. */
    days: z.array(z.object({ date: z.iso.date(), requests: z.number().int() })).optional(),
  }),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** An API key, for admins. */
export const adminApiKeySchema = apiKeySchema.extend({
  userId: z.string(),
  /** Null while auth is unavailable. */
  username: z.string().nullable(),
  customLimits: keyLimitsSchema.nullable(),
  version: z.number().int(),
})
export type AdminApiKey = z.infer<typeof adminApiKeySchema>

const user = routesFor('billing', 'user')
const admin = routesFor('billing', 'admin')
const internal = routesFor('billing', 'service')
const labelSchema = filledText(100)
const secretAnswer = z.object({
  key: apiKeySchema,
  /** Shown only once; the server stores its hash. */
  secret: z.string(),
})
/** Routes of a user's own API keys. */
export const keyRoutes = {
  keys: user.get('/user/keys', {
    viewable: true,
    summary: 'API keys of the signed-in user, newest first',
    answer: z.object({ keys: z.array(apiKeySchema) }),
  }),
  createKey: user.post('/user/keys', {
    summary: 'Create an API key; its secret is shown only once. 409 beyond 100 keys',
    body: z.strictObject({ label: labelSchema, expiresAt: timeSchema.nullish() }),
    answer: secretAnswer,
    status: 201,
  }),
  updateKey: user.patch('/user/keys/:id', {
    summary: 'Rename an API key or set its expiry; null clears the expiry',
    body: z.strictObject({ label: labelSchema, expiresAt: timeSchema.nullable() }).partial(),
    answer: z.object({ key: apiKeySchema }),
  }),
  rotateKey: user.post('/user/keys/:id/rotate', {
    summary: 'Rotate the secret of an API key; the old one is valid until the overlap ends',
    body: z.strictObject({ overlapMinutes: z.number().int().min(0).max(10_080).default(60) }),
    bodyOptional: true,
    answer: secretAnswer,
    status: 201,
  }),
  revokeKey: user.delete('/user/keys/:id', {
    summary: 'Revoke an API key',
    status: 204,
  }),
}

const oneAdminKey = z.object({ key: adminApiKeySchema })
/** Routes of all API keys, for admins. */
export const keyAdminRoutes = {
  keys: admin.get('/admin/keys', {
    summary:
      "API keys of all users, newest first; `query` searches the label, id, visible part of the secret, and owner's name",
    query: adminPageQuerySchema.extend({
      query: text(200).optional(),
      userId: text(64).optional(),
      tier: z.enum(['1', '2', '3', '4', '5']).optional(),
    }),
    answer: z.object({ keys: z.array(adminApiKeySchema), nextCursor: z.string().nullable() }),
  }),
  verifyKey: admin.post('/admin/keys/verify', {
    summary: 'Find the API key of a secret',
    body: z.strictObject({ key: text(200) }),
    answer: messageAnswerSchema.extend({
      /** `found`: belongs to `key` · `no_record`: well formed, but of no key · `malformed`: not in the format of a secret */
      result: z.enum(['found', 'no_record', 'malformed']),
      valid: z.boolean(),
      key: adminApiKeySchema.nullable(),
    }),
  }),
  updateKey: admin.patch('/admin/keys/:id', {
    summary: 'Set the tier of an API key; tier 5 takes custom limits. 409 if `version` is not current',
    body: z.strictObject({
      tier: givenTierSchema,
      customLimits: keyLimitsSchema.optional(),
      version: z.number().int().optional(),
    }),
    answer: oneAdminKey,
  }),
  revokeKey: admin.delete('/admin/keys/:id', {
    summary: 'Revoke an API key',
    status: 204,
  }),
  resetUsage: admin.post('/admin/keys/:id/reset-usage', {
    summary: 'Reset the usage of an API key',
    answer: oneAdminKey,
  }),
  resetAllUsage: admin.post('/admin/keys/reset-usage', {
    summary: 'Reset the usage of all API keys',
    answer: z.object({ reset: z.number().int() }),
  }),
}

/** A key as the gateway caches it to authorise requests. */
export const knownKeySchema = z.object({
  keyId: z.string(),
  userId: z.string(),
  tier: keyTierSchema,
  customLimits: keyLimitsSchema.nullable(),
  /** When this secret expires: the key's expiry, or the end of the overlap after a rotation. */
  endsAt: timeSchema.nullable(),
})
export type KnownKey = z.infer<typeof knownKeySchema>
/** Internal routes of API keys, for the gateway and llm-router. */
export const keyInternalRoutes = {
  /** By hash, so that no secret is sent internally. Records the use of the key, at most once per minute. */
  find: internal.get('/internal/keys/:hash', {
    summary:
      'Find an API key by the SHA-256 of its secret in hex; `key` is null if there is none, or it is revoked or expired',
    params: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: z.object({ key: knownKeySchema.nullable() }),
  }),
  /** For the program that uses the key. */
  show: internal.get('/internal/users/:userId/keys/:id', {
    summary: 'An API key, as shown to its owner; 404 if it is revoked',
    params: z.object({ userId: idSchema, id: idSchema }),
    answer: z.object({ key: apiKeySchema }),
  }),
}
