import type { RunningAuth } from './running-auth.ts'

/** How many statements wait for somebody else's lock. */
export async function waiting(auth: Pick<RunningAuth, 'sql'>): Promise<number> {
  const rows = await auth.sql(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}
