import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPgBillingEngine, type PgBillingEngine } from './pg-engine.ts'

describe('the acts in PostgreSQL', () => {
  let engine: PgBillingEngine
  beforeAll(async () => {
    engine = await openPgBillingEngine()
  })
  afterAll(() => engine.close())

  it('finds the month of any moment, whatever day the plan began', async () => {
    const { rows } = await sql<{ tried: number; wrong: number; starts: string[] }>`
      with months as (
        select anchor, moment, months_passed(anchor, moment) as passed
        from generate_series('2027-11-28T23:30Z'::timestamptz, '2028-03-02T00:00Z', '1 day') as anchor,
          generate_series('2028-03-02T00:00Z'::timestamptz, '2030-03-05T00:00Z', '23 hours') as moment
      )
      select count(*)::int as tried,
        (count(*) filter (where month_start(anchor, passed) > moment or month_start(anchor, passed + 1) <= moment))::int as wrong,
        (select array_agg(to_char(month_start('2028-01-31T10:30Z', n) at time zone 'UTC', 'MM-DD') order by n)
          from generate_series(0, 3) as n) as starts
      from months`.execute(engine.db)
    expect(rows[0]?.tried).toBeGreaterThan(50_000)
    expect(rows[0]).toMatchObject({ wrong: 0, starts: ['01-31', '02-29', '03-31', '04-30'] })
  })

  it('sweeps no hold that is settled while the sweep runs', async () => {
    const generations = Array.from({ length: 30 }, (_, at) => `gen-${at}`)
    for (const generationId of generations) {
      await engine.stores.credits.hold({ generationId, userId: `of-${generationId}`, amount: 10, unlimited: false })
      await engine.expireHold(generationId)
    }
    const sweep = await engine.db.transaction().execute(async (tx) => {
      // The sweep has made its list and waits here for the oldest hold, while the newest on the list is settled.
      await sql`select from holds where generation_id = 'gen-0' for update`.execute(tx)
      const sweeping = engine.stores.credits.releaseExpired(100)
      await expect.poll(() => waitingForLock(engine)).toBe(1)
      expect(await engine.replica.credits.settle('gen-29', 4)).toEqual({ charged: 4, remaining: 96 })
      return { sweeping }
    })
    expect(await sweep.sweeping).toBe(29)
    expect((await engine.stores.accounts.read('of-gen-29')).remaining).toBe(96)
    expect(await engine.faults()).toEqual([])
  })
})

async function waitingForLock(engine: PgBillingEngine): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(engine.db)
  return rows[0]?.waiting ?? 0
}
