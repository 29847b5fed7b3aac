import type { Generated } from 'kysely'

interface PlanTable {
  id: string
  name: string
  description: string
  monthly_credits: number
  requests_per_window: number
  window_ms: number
  created_at: Generated<Date>
  updated_by: string | null
}

/** The tables that are read and written by Kysely. */
export interface BillingDatabase {
  plans: PlanTable
  default_plan: { only_row: Generated<boolean>; plan_id: string }
  holds: {
    generation_id: string
    state: 'held' | 'expired' | 'captured' | 'released'
    expires_at: Date
    settled_at: Date | null
  }
}
