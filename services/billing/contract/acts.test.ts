import { adminAct } from '@parley/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccountStore } from '../src/store/account-store.ts'
import { createActs } from '../src/store/acts.ts'
import { commit } from '../src/store/books.ts'
import { type BillingEngine, openBillingEngine } from './engine.ts'

const usage = { inputTokens: 1, outputTokens: 1, estimated: false }

describe('the acts in PostgreSQL', () => {
  let engine: BillingEngine
  beforeEach(async () => {
    engine = await openBillingEngine()
  })
  afterEach(() => engine.close())

  it('neither sweep a hold that is being settled nor wait for it: the hold ends once', async () => {
    const generations = Array.from({ length: 30 }, (_, at) => `gen-${at}`)
    for (const generationId of generations) {
      await engine.stores.credits.hold({ generationId, userId: `of-${generationId}`, amount: 10, unlimited: false })
      await engine.expireHold(generationId)
    }
    const settling = await whileLocked(['of-gen-29'], async () => {
      const settlement = engine.replica.credits.settle('gen-29', 4)
      await expect.poll(() => engine.waitingForLock()).toBe(1)
      expect(await engine.stores.credits.releaseExpired(100)).toBe(29)
      return { settlement }
    })
    expect(await settling.settlement).toEqual({ charged: 4, remaining: 96 })
    expect(await engine.stores.credits.releaseExpired(100)).toBe(0)
    expect((await engine.stores.accounts.read('of-gen-29')).remaining).toBe(96)
    expect(await engine.faults()).toEqual([])
  })

  it('do not block an account because another one is locked elsewhere', async () => {
    await Promise.all(['locked', 'free'].map((userId) => engine.stores.accounts.ensure(userId)))
    const held = (userId: string, nth: number) =>
      engine.stores.credits.hold({ generationId: `${userId}-${nth}`, userId, amount: 60, unlimited: false })
    const locked = await whileLocked(['locked'], async () => {
      const waiting = [1, 2].map((nth) => held('locked', nth))
      expect(await held('free', 1)).toEqual({ outcome: 'held', remaining: 40 })
      await expect.poll(() => engine.waitingForLock()).toBe(1)
      expect(await held('free', 2)).toEqual({ outcome: 'insufficient', remaining: 40 })
      return { waiting }
    })
    expect(await Promise.all(locked.waiting)).toEqual([
      { outcome: 'held', remaining: 40 },
      { outcome: 'insufficient', remaining: 40 },
    ])
  })

  it('succeed in a batch in which one act is refused', async () => {
    await engine.stores.accounts.ensure('eve')
    await sql`insert into ledger (user_id, kind, amount, delta, balance_after, period, generation_id)
      values ('eve', 'capture', 0, 0, 100, 1, 'charged')`.execute(engine.db)
    const finished = (generationId: string, userId: string) =>
      engine.stores.credits.settleFinished(`event-${generationId}`, { generationId, userId, charge: 5 })
    await engine.stores.credits.hold({ generationId: 'of-eve', userId: 'eve', amount: 10, unlimited: false })
    const together = await Promise.allSettled([
      finished('first', 'fay'),
      finished('charged', 'eve'),
      finished('of-eve', 'gus'),
      finished('of-eve', 'eve'),
      engine.stores.credits.hold({ generationId: 'last', userId: 'fay', amount: 10, unlimited: false }),
    ])
    expect(together).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: '23505' } },
      { status: 'rejected', reason: { message: 'the generation was held for another user' } },
      { status: 'fulfilled' },
      { status: 'fulfilled', value: { outcome: 'held', remaining: 90 } },
    ])
    expect((await engine.stores.accounts.read('eve')).remaining).toBe(95)
    expect(await engine.stores.accounts.readKnown(['gus'])).toEqual([])
    expect(await engine.faults()).toEqual([])
  })

  it('are not tried again when they may have been committed: a grant would count twice', async () => {
    await engine.stores.accounts.ensure('ray')
    const lossy: typeof engine.database = {
      pipelined: (work) =>
        engine.database.pipelined((send) =>
          work(async (...statements) => {
            const results = await send(...statements)
            if (statements.includes(commit)) throw new Error('The connection broke before the reply')
            return results
          }),
        ),
    }
    const accounts = createAccountStore(
      engine.db,
      createActs(lossy, lossy, () => undefined),
    )
    await expect(accounts.grant('ray', 5, adminAct())).rejects.toThrow('The connection broke')
    expect((await engine.stores.accounts.read('ray')).remaining).toBe(105)
  })

  it('keep the first end of a generation that ends twice in one batch', async () => {
    const ended = (eventId: string, outcome: 'stopped' | 'complete') =>
      engine.stores.credits.settleFinished(eventId, {
        ...{ generationId: 'twice', userId: 'jon', charge: 5 },
        end: { model: 'v3', source: 'web', keyId: null, outcome, usage, responseMs: null, at: new Date() },
      })
    await Promise.all([ended('one', 'stopped'), ended('another', 'complete')])
    expect(await engine.stores.receipts.find('jon', 'twice')).toMatchObject({ outcome: 'stopped', charged: 5 })
  })

  it('keep start and end of a generation that both come in one batch, and leave no open hold', async () => {
    const endsAt = new Date('2031-02-03T04:05:06Z')
    const [held] = await Promise.all([
      engine.stores.credits.hold({
        ...{ generationId: 'quick', userId: 'lea', amount: 5, unlimited: false },
        asked: { model: 'v3', source: 'key', keyId: 'k1' },
      }),
      engine.stores.credits.settleFinished('quick', {
        ...{ generationId: 'quick', userId: 'lea', charge: 2 },
        end: { model: 'small', source: 'key', keyId: 'k1', outcome: 'complete', usage, responseMs: 7, at: endsAt },
      }),
    ])
    expect(held).toEqual({ outcome: 'held', remaining: 95 })
    const receipt = await engine.stores.receipts.find('lea', 'quick')
    expect(receipt).toMatchObject({ model: 'small', outcome: 'complete', held: 5, charged: 2, balanceAfter: 98 })
    expect(receipt?.at.getTime()).toBeLessThan(endsAt.getTime())
    expect(await engine.stores.credits.countOpen()).toEqual({ open: 0, overdue: 0 })
    expect(await engine.stores.usage.count(10)).toBe(1)
    expect(await engine.faults()).toEqual([])
  })

  it('leave the account of a user alone whose erasure has begun', async () => {
    await engine.stores.accounts.ensure('kim')
    await sql`select note_erasure('kim', 'deleted:kim')`.execute(engine.db)
    const held = { generationId: 'late', userId: 'kim', amount: 1, unlimited: false }
    expect(await engine.stores.credits.hold(held)).toEqual({ outcome: 'conflict', remaining: 0 })
    expect(await engine.stores.accounts.grant('kim', 5, adminAct())).toBe(false)
    expect(await engine.stores.accounts.readKnown(['kim'])).toEqual([])
    expect((await engine.ledger('kim')).map(({ kind }) => kind)).toEqual(['month'])
  })

  it('create no account for a user who is erased concurrently', async () => {
    const late = await engine.db.transaction().execute(async (tx) => {
      await sql`select note_erasure('hal', 'deleted:hal'), erase_user('hal', 'deleted:hal')`.execute(tx)
      const acts = [
        engine.stores.credits.hold({ generationId: 'late', userId: 'hal', amount: 1, unlimited: false }),
        engine.stores.credits.hold({ generationId: 'ivy', userId: 'ivy', amount: 1, unlimited: false }),
        engine.stores.accounts.ensure('hal'),
        engine.stores.credits.settleFinished('late', { generationId: 'late', userId: 'hal', charge: 1 }),
      ]
      await expect.poll(() => engine.waitingForLock()).toBe(1)
      return { acts }
    })
    const [refused, held, made, settled] = await Promise.all(late.acts)
    expect([refused, held]).toEqual([
      { outcome: 'conflict', remaining: 0 },
      { outcome: 'held', remaining: 99 },
    ])
    expect([made, settled]).toEqual([false, undefined])
    const { rows } = await sql`select from accounts where user_id = 'hal'`.execute(engine.db)
    expect(rows).toEqual([])
  })

  const whileLocked = <Result>(users: readonly string[], act: () => Promise<Result>): Promise<Result> =>
    engine.db.transaction().execute(async (tx) => {
      await sql`select from accounts where user_id = any(${users}) for update`.execute(tx)
      return await act()
    })
})
