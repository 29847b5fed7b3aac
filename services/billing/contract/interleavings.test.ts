import { adminAct } from '@parley/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingEngine, openBillingEngine } from './engine.ts'

/** A small seeded generator (mulberry32), so that a failing order can be reproduced. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Users of events are random as well, so many events name another user than their hold. */
const foreignEvent = (error: Error): void => expect(error.message).toMatch(/another user/)

describe('the books after random interleavings', () => {
  let engine: BillingEngine
  beforeAll(async () => {
    engine = await openBillingEngine()
  })
  afterAll(() => engine.close())

  it.each([1, 2, 3, 4])('are correct after 600 acts of eight workers with seed %i', async (seed) => {
    const next = seeded(seed)
    const user = () => `user-${seed}-${next(3)}`
    const generation = () => `gen-${seed}-${next(60)}`
    const stores = () => (next(2) === 0 ? engine.stores : engine.replica)
    const acts: (() => Promise<unknown>)[] = [
      () => stores().credits.hold({ generationId: generation(), userId: user(), amount: next(60), unlimited: false }),
      () => stores().credits.hold({ generationId: generation(), userId: user(), amount: 9, unlimited: next(4) === 0 }),
      () => stores().credits.settle(generation(), next(70)),
      () => stores().credits.settle(generation(), 0),
      () => stores().credits.renewHold(generation()),
      () =>
        stores()
          .credits.settleFinished(`event-${seed}-${next(40)}`, {
            generationId: generation(),
            userId: user(),
            charge: next(20),
          })
          .catch(foreignEvent),
      () => engine.expireHold(generation()),
      () => stores().credits.releaseExpired(1 + next(5)),
      () => stores().accounts.grant(user(), 1 + next(30), adminAct()),
      () => stores().accounts.ensure(user()),
      () => stores().accounts.read(user()),
      () => stores().accounts.readKnown([user(), user(), user()]),
      () => (next(4) === 0 ? engine.endMonth(user()) : Promise.resolve()),
      () =>
        next(4) === 0 ? stores().accounts.assignPlan(user(), next(2) === 0 ? 'free' : 'plus', adminAct()) : undefined,
    ].map((act) => async () => await act())
    const worker = async (): Promise<void> => {
      for (let act = 0; act < 75; act += 1) await acts[next(acts.length)]?.()
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(await engine.faults()).toEqual([])
    const rows = (await Promise.all([0, 1, 2].map((at) => engine.ledger(`user-${seed}-${at}`)))).flat()
    expect(rows.length).toBeGreaterThan(100)
    expect(new Set(rows.map((row) => row.kind)).size).toBe(6)
  })

  it('are reported when they are wrong, and cannot be rewritten', async () => {
    await engine.stores.accounts.ensure('forger')
    const run = (statement: string) => sql.raw(statement).execute(engine.db)
    await expect(run(`update ledger set delta = 0 where user_id = 'forger'`)).rejects.toThrow(/append-only/)
    await expect(run(`delete from ledger where user_id = 'forger'`)).rejects.toThrow(/append-only/)
    await run(`update accounts set granted = 5 where user_id = 'forger'`)
    expect(await engine.faults()).toHaveLength(1)
    await run(`insert into ledger (user_id, kind, amount, delta, balance_after, period)
      values ('forger', 'grant', 5, 4, 105, 1)`)
    expect(await engine.faults()).toHaveLength(1)
  })
})
