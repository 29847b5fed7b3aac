import type { ApiKey, KeyUsage } from '@parley/contracts'

/** What was used with a key, in all and in this month, and its requests by day. */
export interface UsageOfKey {
  readonly total: KeyUsage
  readonly monthly: KeyUsage
  readonly days: NonNullable<ApiKey['usage']['days']>
}

const none: KeyUsage = { requests: 0, inputTokens: 0, outputTokens: 0, estimated: false, models: [] }
/** Of a key that was not used. */
export const noUsage: UsageOfKey = { total: none, monthly: none, days: [] }
