import type { RequestCount } from '@parley/contracts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { deleteOverHolds } from '../src/store/credit-store.ts'
import { type BillingEngine, openBillingEngine } from './engine.ts'

describe('holds that ended long ago', () => {
  let engine: BillingEngine
  beforeEach(async () => {
    engine = await openBillingEngine()
  })
  afterEach(() => engine.close())

  const credits = () => engine.stores.credits
  const hold = (generationId: string) =>
    credits().hold({ userId: `of-${generationId}`, generationId, amount: 10, unlimited: false })
  const age = (days: number) =>
    sql`update holds set created_at = created_at - make_interval(days => ${days}),
      expires_at = expires_at - make_interval(days => ${days}),
      settled_at = settled_at - make_interval(days => ${days})`.execute(engine.db)
  const left = async () =>
    (await engine.db.selectFrom('holds').select('generation_id').orderBy('generation_id').execute()).map(
      ({ generation_id }) => generation_id,
    )

  it('are deleted, whatever their outcome, except for running and recent ones', async () => {
    for (const generation of ['captured', 'expired', 'released', 'runs']) await hold(generation)
    await credits().settle('captured', 7)
    await credits().settle('released', 0)
    await engine.expireHold('expired')
    await credits().releaseExpired(100)
    await age(91)
    await hold('late')
    await credits().settle('late', 1)
    expect(await credits().forgetOver(90, 2)).toBe(2)
    expect(await credits().forgetOver(90, 100)).toBe(1)
    expect(await left()).toEqual(['late', 'runs'])
    expect(await engine.ledger('of-captured')).toMatchObject([{ kind: 'month' }, { kind: 'hold' }, { kind: 'capture' }])
    expect((await engine.stores.accounts.read('of-captured')).remaining).toBe(93)
    expect(await engine.faults()).toEqual([])
  })

  it('are not charged a second time by a late settlement', async () => {
    await hold('twice')
    await credits().settle('twice', 10)
    await age(91)
    await credits().forgetOver(90, 100)
    expect(await credits().settle('twice', 10)).toBeUndefined()
    const again = { generationId: 'twice', userId: 'of-twice', charge: 10 }
    await expect(credits().settleFinished('late-event', again)).rejects.toThrow(/unique/)
    expect((await engine.stores.accounts.read('of-twice')).remaining).toBe(90)
  })

  it('are found by an index among thousands', async () => {
    await sql`insert into holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, expires_at, settled_at)
      select 'many-' || n, 'many', 1, false, 1, 0, 1, 'captured', now(), now() - make_interval(mins => n)
      from generate_series(1, 5000) as n on conflict do nothing`.execute(engine.db)
    await sql`analyze holds`.execute(engine.db)
    const plan = await sql<Record<string, string>>`explain ${deleteOverHolds(engine.db, 90, 100)}`.execute(engine.db)
    expect(plan.rows.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Scan using holds_over/)
  })
})

it('counts of limited requests are deleted once no preview reads them any more, and not before', async () => {
  const engine = await openBillingEngine()
  onTestFinished(() => engine.close())
  const minute = Math.floor(Date.now() / 60_000)
  const counted = (daysAgo: number): RequestCount => ({
    ...{ area: 'web', subject: `${daysAgo}`, userId: null, kind: 'sending', times: 1, count: 1 },
    minute: minute - daysAgo * 1_440,
  })
  await engine.stores.requests.add('counts', [6, 7, 9].map(counted))
  await engine.stores.requests.sweep()
  const { rows } = await sql`select subject from request_hours order by subject`.execute(engine.db)
  expect(rows).toEqual([{ subject: '6' }, { subject: '7' }])
})
