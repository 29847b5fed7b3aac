import type { ApiKey, KeyUsage } from '@parley/contracts'

/** Usage of a key, in total and this month, and its requests by day. */
export type UsageOfKey = Required<ApiKey['usage']>

const none: KeyUsage = { requests: 0, inputTokens: 0, outputTokens: 0, estimated: false, models: [] }
/** The usage of an unused key. */
export const noUsage: UsageOfKey = { total: none, monthly: none, days: [] }
