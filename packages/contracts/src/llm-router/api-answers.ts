import { z } from 'zod'
import { apiKeySchema } from '../billing/keys.ts'

/** A model in OpenAI's format. */
export const apiModelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  /** Unix time in seconds. */
  created: z.number().int(),
  owned_by: z.string(),
})
export type ApiModel = z.infer<typeof apiModelSchema>
/** A model in Anthropic's format. */
export const messagesModelSchema = z.object({
  id: z.string(),
  type: z.literal('model'),
  display_name: z.string(),
  created_at: z.string(),
})
export type MessagesModel = z.infer<typeof messagesModelSchema>

/** Usage and remaining rate limit of a key. */
export const apiUsageSchema = z.object({
  object: z.literal('usage'),
  /** The key's id. */
  id: z.string(),
  ...apiKeySchema.pick({ label: true, tier: true, expiresAt: true, usage: true }).shape,
  limits: z.object({ requests: z.number().int(), windowMinutes: z.number(), remaining: z.number().int() }),
})

/** Errors of `/v1` in OpenAI's format. */
export const apiErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    /** The invalid field of the request. */
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})
/** Errors of `/v1/messages` in Anthropic's format. */
export const messagesErrorSchema = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
})
