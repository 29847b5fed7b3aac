import { z } from 'zod'
import { keyLimitsSchema, keyTierSchema } from './key-tiers.ts'
import { serviceNames } from './route.ts'

/** What a signed-in user may do. Asked of auth, never read from a token. */
export const rightsSchema = z.object({
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  isBanned: z.boolean(),
  emailVerified: z.boolean(),
})
export type Rights = z.infer<typeof rightsSchema>

const origin = {
  /** Network bucket of the caller: `4:<address>` (/32) or `6:<prefix>` (/64); what is counted by network is counted for wider ones too. */
  network: z.string(),
}

/**
 * Who calls: the payload of the signed `x-identity` header that every service believes, and nothing else.
 * `viewAs` marks an admin who dropped the admin rights for this request.
 */
export const principalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('guest'), ...origin }),
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    sessionId: z.string(),
    rights: rightsSchema,
    viewAs: z.boolean().optional(),
    /** The admin who views the product as this user; may read what is `viewable` and nothing else. */
    viewedBy: z.string().optional(),
    ...origin,
  }),
  /** A program that calls with one of a user's API keys; `/v1` is all that it reaches. */
  z.object({
    kind: z.literal('key'),
    keyId: z.string(),
    userId: z.string(),
    rights: rightsSchema,
    tier: keyTierSchema,
    /** Instead of the base limit times the tier's multiplier. */
    customLimits: keyLimitsSchema.nullable(),
    ...origin,
  }),
  z.object({ kind: z.literal('service'), service: z.enum(serviceNames), ...origin }),
])
export type Principal = z.infer<typeof principalSchema>
/** A signed-in user who calls. */
export type UserPrincipal = Extract<Principal, { kind: 'user' }>

/** A program that calls with an API key. */
export type KeyPrincipal = Extract<Principal, { kind: 'key' }>

/** How an access token says who calls. Its rights are asked of auth; the gateway checks every one of these. */
export const accessToken = {
  algorithm: 'ES256',
  /** `typ` of the header: no other token of the product is taken for one. */
  type: 'at+jwt',
  issuer: 'parley',
  audience: 'parley-api',
  lifetimeSeconds: 15 * 60,
} as const
