import { z } from 'zod'
import type { Settings } from '../auth/settings.ts'
import { tierMultipliers } from '../constants.ts'

/** 1 basic, 2 standard, 3 professional, 4 enterprise, 5 custom. */
export const keyTierSchema = z.literal([1, 2, 3, 4, 5])
export type KeyTier = z.infer<typeof keyTierSchema>

const tiersByName = { basic: 1, standard: 2, professional: 3, enterprise: 4, custom: 5 } as const
const tierNameSchema = z.enum(['basic', 'standard', 'professional', 'enterprise', 'custom'])
/** A tier as callers may give it: its number or its name. */
export const givenTierSchema = z.union([keyTierSchema, tierNameSchema])
export const tierOf = (given: z.infer<typeof givenTierSchema>): KeyTier =>
  typeof given === 'number' ? given : tiersByName[given]

/** The limits of a key of tier 5: requests per window. */
export const keyLimitsSchema = z.strictObject({
  requests: z.number().int().min(10, 'Requests per window must be at least 10').max(1_000_000),
  windowMinutes: z.number().int().min(1, 'window size must be at least 1 minute').max(1440),
})
export type KeyLimits = z.infer<typeof keyLimitsSchema>

/** The limits of a key: its custom limits, or the base limit of the settings times the multiplier of its tier. */
export function limitsOfKey(
  { tier, customLimits }: { readonly tier: KeyTier; readonly customLimits: KeyLimits | null },
  { maxRequests, windowMinutes }: Settings['rateLimits']['apiV1'],
): KeyLimits {
  if (tier === 5) return customLimits ?? { requests: maxRequests, windowMinutes }
  return { requests: maxRequests * tierMultipliers[tier], windowMinutes }
}

/** The service whose counter has the rate-limit windows of keys. */
export const keyWindowService = 'llm-router'
/** The prefix of the names of these windows. */
export const keyWindowPrefix = 'key:'
/** The rate-limit window of a key. */
export const keyWindowOf = (keyId: string, { requests, windowMinutes }: KeyLimits) => ({
  key: `${keyWindowPrefix}${keyId}`,
  limit: { points: requests, windowMs: windowMinutes * 60_000 },
})
