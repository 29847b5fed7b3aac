import { billing } from '@parley/billing'
import { openMemoryHub } from '@parley/cache'
import type { MoneyDay, Receipt, UserUsage } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { createService } from '@parley/kit'
import { ledgerFaults, testLog } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRuntime } from '../src/runtime.ts'
import { seed } from '../src/seed/seed.ts'
import { openWorld, type Person, testConfig, type World } from './given.ts'

const dayMs = 86_400_000
const users = 200
const keys = 10
const dayAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

describe('the books of seeded users', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld()
    admin = await world.admin()
    const database = openPostgres({ url: world.databaseUrl, schema: 'public', unlimited: true, log: testLog })
    try {
      // A second run finds all users, and adds nothing.
      for (let run = 0; run < 2; run += 1) await seed(database, { users, keys, entries: 10, models: 1 })
    } finally {
      await database.close()
    }
  })
  afterAll(() => world.close())

  const get = async <Body>(path: string): Promise<Body> => (await admin.api.get(path)).body as Body
  const idOf = async (name: string): Promise<string> => {
    const { users } = await get<{ users: { _id: string; username: string }[] }>(`/api/admin/users?query=${name}`)
    return users.find(({ username }) => username === name)?._id ?? ''
  }

  it('hold the invariants of the ledger', async () => {
    const accounts = await world.query(`select user_id from billing.accounts`)
    expect(accounts.length).toBeGreaterThanOrEqual(users)
    for (const query of Object.values(ledgerFaults)) expect(await world.query(query)).toEqual([])
    const wrong = await world.query(`
      select user_id from (
        select *, sum(delta) over (partition by user_id order by id) as total, lag(at) over (partition by user_id order by id) as former,
          lag(period, 1, 0) over (partition by user_id order by id) as former_period
        from billing.ledger
      ) as rows where balance_after <> total or at < former or period - former_period <> (kind = 'month')::int`)
    expect(wrong).toEqual([])
    const kinds = await world.query<{ kind: string }>('select distinct kind from billing.ledger order by kind')
    expect(kinds.map(({ kind }) => kind)).toEqual(['capture', 'grant', 'hold', 'lapse', 'month', 'release'])
    const plans = await world.query(`
      select user_id from billing.accounts join billing.plans on plans.id = plan_id
      where monthly + used <> monthly_credits or not now() >= period_start or period_start < anchor or period_end <= period_start`)
    expect(plans).toEqual([])
  })

  it('fill every day of the money section, which the daily check compares without an alarm', async () => {
    const { days } = await get<{ days: MoneyDay[] }>(`/api/admin/money?from=${dayAgo(359)}`)
    const used = days.filter(({ spent, providerCost }) => spent > 0 && providerCost > 0)
    expect(used.length).toBeGreaterThan(300)
    expect(days.filter(({ spent, recorded, drift }) => spent !== recorded || drift !== 0)).toEqual([])
    expect(days.filter(({ sold }) => sold > 0).length).toBeGreaterThan(150)
    const hub = openMemoryHub({ log: testLog })
    const runtime = openRuntime({
      config: testConfig(),
      engines: { postgresUrl: world.databaseUrl, hub },
      log: testLog,
    })
    try {
      const deps = { ...(await runtime.depsOf(billing)), moneyCheckMs: 10 }
      const replica = await createService(billing, deps)
      await replica.start()
      const unchecked = `
        select distinct day from billing.money_days
        where day < billing.utc_day(now() - interval '1 hour') and day not in (select day from billing.money_checks)`
      await expect.poll(() => world.query(unchecked)).toEqual([])
      await replica.stop()
      expect(await world.query('select * from billing.money_alarms')).toEqual([])
    } finally {
      await runtime.close()
      await hub.close()
    }
  })

  it('give a user receipts that add up to the usage and lead to the present balance', async () => {
    const id = await idOf('seeded-10')
    const { items: receipts } = await get<{ items: Receipt[] }>(`/api/admin/users/${id}/receipts?limit=200`)
    const usage = await get<UserUsage>(`/api/admin/users/${id}/usage?from=${dayAgo(365)}`)
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
    expect(receipts.length).toBeGreaterThanOrEqual(24)
    expect(sum(usage.days.map(({ requests }) => requests))).toBe(receipts.length)
    expect(sum(usage.days.map(({ credits }) => credits))).toBe(sum(receipts.map(({ charged }) => charged)))
    const [account] = await world.query<{ balance: string }>(
      `select monthly + granted as balance from billing.accounts where user_id = '${id}'`,
    )
    expect(receipts[0]?.balanceAfter).toBe(Number(account?.balance))
    expect(receipts[0]?.reason).toMatch(/price of|free/)
  })
})
