import { anonymousId } from '@parley/kit'
import { adminAct } from '@parley/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingEngine, openBillingEngine } from './engine.ts'

const eventually = { interval: 10 }

describe('an act of an admin who is being erased', () => {
  let engine: BillingEngine
  beforeAll(async () => {
    engine = await openBillingEngine()
  })
  afterAll(() => engine.close())

  const actors = async (userId: string) => (await engine.ledger(userId)).flatMap(({ actorId }) => actorId ?? [])
  const lastChangeOf = async (planId: string) =>
    (await engine.db.selectFrom('plans').select('updated_by').where('id', '=', planId).executeTakeFirstOrThrow())
      .updated_by

  it.each([
    {
      what: 'a grant',
      actorId: 'ann',
      act: sql`with granted as (update accounts set granted = granted + 5 where user_id = 'bob' returning monthly + granted as balance)
        insert into ledger (user_id, kind, amount, delta, balance_after, period, actor_id)
        select 'bob', 'grant', 5, 5, balance, 1, 'ann' from granted`,
    },
    { what: 'a change of a plan', actorId: 'carl', act: sql`update plans set updated_by = 'carl' where id = 'plus'` },
  ])('is awaited and anonymised: $what', async ({ actorId, act }) => {
    await engine.stores.accounts.ensure('bob')
    const tx = await engine.db.startTransaction().execute()
    await act.execute(tx)
    const erasing = engine.stores.erasures.erase(actorId)
    await expect
      .poll(() => engine.waitingForLock(), eventually)
      .toBe(1)
      .finally(() => tx.commit().execute())
    await erasing
    expect([...(await actors('bob')), await lastChangeOf('plus')]).not.toContain(actorId)
    expect([...(await actors('bob')), await lastChangeOf('plus')]).toContain(anonymousId(actorId))
    expect(await engine.faults()).toEqual([])
  })

  it('is anonymised when it comes later', async () => {
    await engine.stores.accounts.ensure('dora')
    await engine.stores.erasures.erase('eve')
    const act = () => ({ ...adminAct(), actorId: 'eve' })
    expect(await engine.stores.accounts.grant('dora', 5, act())).toBe(true)
    await engine.stores.plans.create('late', planFields, act())
    expect(await actors('dora')).toEqual([anonymousId('eve')])
    expect(await lastChangeOf('late')).toBe(anonymousId('eve'))
  })
})

const planFields = { name: 'Late', description: '', monthlyCredits: 7, requestsPerWindow: 10, windowMs: 60_000 }
