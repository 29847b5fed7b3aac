import { z } from 'zod'
import type { Settings } from './settings.ts'

/** 1 basic, 2 standard, 3 professional, 4 enterprise, 5 custom. */
export const keyTierSchema = z.literal([1, 2, 3, 4, 5])
export type KeyTier = z.infer<typeof keyTierSchema>

/** What a key of tier 5 may ask for: requests per window. */
export const keyLimitsSchema = z.strictObject({
  requests: z.number().int().min(10, 'Requests per window must be at least 10').max(1_000_000),
  windowMinutes: z.number().int().min(1, 'window size must be at least 1 minute').max(1440),
})
export type KeyLimits = z.infer<typeof keyLimitsSchema>

/** Times the base limit of `/v1` that keys of tiers 1 to 4 may ask for. */
export const tierMultipliers: Readonly<Record<Exclude<KeyTier, 5>, number>> = { 1: 1, 2: 2, 3: 5, 4: 10 }

/** What a key may ask for: its own limits, else the base limit times the multiplier of its tier. @param base of the settings */
export function limitsOfKey(
  { tier, customLimits }: { readonly tier: KeyTier; readonly customLimits: KeyLimits | null },
  { maxRequests, windowMinutes }: Settings['rateLimits']['apiV1'],
): KeyLimits {
  if (tier === 5) return customLimits ?? { requests: maxRequests, windowMinutes }
  return { requests: maxRequests * tierMultipliers[tier], windowMinutes }
}

/** Whose counter has the windows of keys. */
export const keyWindowService = 'llm-router'
/** How the names of those windows begin. */
export const keyWindowPrefix = 'key:'
/** The window of a key's requests, for the counter. */
export const keyWindowOf = (keyId: string, { requests, windowMinutes }: KeyLimits) => ({
  key: `${keyWindowPrefix}${keyId}`,
  limit: { points: requests, windowMs: windowMinutes * 60_000 },
})
