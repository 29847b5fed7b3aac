import { anonymousId } from '@parley/kit'
import { adminAct } from '@parley/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createErasureStore } from '../src/store/erasure-store.ts'
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

it('rows of an erased user go a few at a time, since the time of a statement is limited, and so do the names of an admin', async () => {
  const engine = await openBillingEngine()
  onTestFinished(() => engine.close())
  const { accounts, credits } = engine.stores
  const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
  for (const generationId of ['first', 'second', 'third']) {
    await credits.hold({ generationId, userId: 'fay', amount: 2, unlimited: false })
    const end = { model: 'v3', source: 'web', keyId: null, outcome: 'complete', usage, responseMs: 1 } as const
    await credits.settle(generationId, 2, undefined, { ...end, at: new Date() })
    await accounts.grant('fay', 5, { ...adminAct(), actorId: 'gil' })
  }
  await sql`create function refuse_many() returns trigger language plpgsql as $$ begin
    if (select count(*) from before_it) > 2 then raise exception 'too many rows of % at once', tg_table_name; end if;
    return null; end $$`.execute(engine.db)
  for (const [table, change] of [
    ['ledger', 'update'],
    ...['ledger', 'holds', 'generations'].map((name) => [name, 'delete']),
  ]) {
    await sql
      .raw(
        `create trigger few_at_once_${change} after ${change} on ${table} referencing old table as before_it
          for each statement execute function refuse_many()`,
      )
      .execute(engine.db)
  }
  const { erase } = createErasureStore(engine.db, 2)
  await erase('gil')
  expect((await engine.ledger('fay')).flatMap(({ actorId }) => actorId ?? [])).toEqual(
    Array.from({ length: 3 }, () => anonymousId('gil')),
  )
  expect(await engine.faults()).toEqual([])
  await erase('fay')
  expect([await engine.ledger('fay'), await engine.stores.receipts.find('fay', 'third')]).toEqual([[], undefined])
})

const planFields = { name: 'Late', description: '', monthlyCredits: 7, requestsPerWindow: 10, windowMs: 60_000 }
