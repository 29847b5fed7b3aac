import { z } from 'zod'
import { keyLimitsSchema, keyTierSchema } from './billing/key-tiers.ts'
import { serviceNames } from './route.ts'

/** The rights of a signed-in user. Read from auth, never from a token. */
export const rightsSchema = z.object({
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  isBanned: z.boolean(),
  emailVerified: z.boolean(),
})
export type Rights = z.infer<typeof rightsSchema>

const origin = {
  /** The caller's network: `4:<address>` (/32) or `6:<prefix>` (/64); limits by network also count for wider networks. */
  network: z.string(),
}

/**
 * The caller: the payload of the signed `x-identity` header, which is all that services trust. `viewAs` marks an admin who has dropped the admin
 * rights for this request.
 */
export const principalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('guest'), ...origin }),
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    sessionId: z.string(),
    rights: rightsSchema,
    viewAs: z.boolean().optional(),
    /** The admin who views the product as this user, restricted to `viewable` routes. */
    viewedBy: z.string().optional(),
    ...origin,
  }),
  /** A program with a user's API key, restricted to `/v1`. */
  z.object({
    kind: z.literal('key'),
    keyId: z.string(),
    userId: z.string(),
    rights: rightsSchema,
    tier: keyTierSchema,
    /** Replaces the base limit times the tier's multiplier. */
    customLimits: keyLimitsSchema.nullable(),
    ...origin,
  }),
  z.object({ kind: z.literal('service'), service: z.enum(serviceNames), ...origin }),
])
export type Principal = z.infer<typeof principalSchema>
/** A signed-in user as the caller. */
export type UserPrincipal = Extract<Principal, { kind: 'user' }>

/** A program with an API key as the caller. */
export type KeyPrincipal = Extract<Principal, { kind: 'key' }>

/** The format of access tokens; the gateway checks each of these values. Rights are read from auth. */
export const accessToken = {
  algorithm: 'ES256',
  /** `typ` of the header, which sets it apart from all other tokens of the product. */
  type: 'at+jwt',
  issuer: 'parley',
  audience: 'parley-api',
  lifetimeSeconds: 15 * 60,
} as const
