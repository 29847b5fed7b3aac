import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingEngine, openBillingEngine } from './engine.ts'

describe('the books in PostgreSQL', () => {
  let engine: BillingEngine
  beforeAll(async () => {
    engine = await openBillingEngine()
  })
  afterAll(() => engine.close())
  const hold = (userId: string, generationId: string) =>
    engine.stores.credits.hold({ userId, generationId, amount: 10, unlimited: false })

  it('accept no second charge of a generation, even from outside billing', async () => {
    await hold('ann', 'charged')
    await engine.stores.credits.settle('charged', 10)
    const again = sql`
      insert into ledger (user_id, kind, amount, delta, balance_after, period, generation_id)
      values ('ann', 'capture', 10, 0, 90, 1, 'charged')`.execute(engine.db)
    await expect(again).rejects.toThrow(/unique/)
  })

  it('restart the monthly usage at 0', async () => {
    await hold('bob', 'of-last-month')
    await engine.stores.credits.settle('of-last-month', 10)
    expect(await engine.stores.accounts.read('bob')).toMatchObject({ used: 10, remaining: 90 })
    await engine.endMonth('bob')
    expect(await engine.stores.accounts.read('bob')).toMatchObject({ used: 0, remaining: 100 })
  })

  it('return the credits of a dead generation within a minute', async () => {
    await hold('carl', 'dead')
    const left = await engine.holdLeft('dead')
    expect(left).toBeGreaterThan(20_000)
    expect(left).toBeLessThan(55_000)
  })

  it('call a generation captured if it was charged, and released if not', async () => {
    await hold('dora', 'paid')
    await hold('dora', 'free')
    await engine.stores.credits.settle('paid', 3)
    await engine.stores.credits.settle('free', 0)
    const { rows } =
      await sql`select generation_id, state, charged from holds where user_id = 'dora' order by 1`.execute(engine.db)
    expect(rows).toEqual([
      { generation_id: 'free', state: 'released', charged: 0 },
      { generation_id: 'paid', state: 'captured', charged: 3 },
    ])
  })
})
