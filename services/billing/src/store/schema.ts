import type { KeyLimits, KeyTier } from '@parley/contracts'
import type { ColumnType, Generated } from 'kysely'

interface PlanTable {
  id: string
  name: string
  description: string
  monthly_credits: number
  requests_per_window: number
  window_ms: number
  created_at: Generated<Date>
  updated_by: string | null
  version: Generated<number>
}

/** The tables accessed through Kysely. */
export interface BillingDatabase {
  plans: PlanTable
  default_plan: { only_row: Generated<boolean>; plan_id: string }
  holds: {
    generation_id: string
    state: 'held' | 'expired' | 'captured' | 'released'
    expires_at: Date
    settled_at: Date | null
  }
  api_keys: {
    id: string
    position: Generated<number>
    user_id: string
    label: string
    prefix: string
    last_four: string
    tier: ColumnType<KeyTier, KeyTier | undefined, KeyTier>
    /** Written as JSON. */
    custom_limits: ColumnType<KeyLimits | null, string | null | undefined, string | null>
    version: Generated<number>
    created_at: Generated<Date>
    last_used: ColumnType<Date | null, Date | undefined, Date>
    expires_at: Date | null
  }
  api_key_secrets: {
    hash: Buffer
    key_id: string
    ends_at: ColumnType<Date | null, Date | undefined, Date>
  }
}
