import { adminAct } from '@parley/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BillingEngine } from '../engine.ts'

/** Tests all guarantees of the credit store on one engine. */
export function creditStoreContract(name: string, open: () => Promise<BillingEngine>): void {
  describe(`credit store on ${name}`, () => {
    let engine: BillingEngine
    let last = 0
    const fresh = (what: string): string => `${what}-${++last}`
    const credits = () => engine.stores.credits
    const remaining = async (userId: string): Promise<number> => (await engine.stores.accounts.read(userId)).remaining
    const hold = (userId: string, generationId: string, amount: number, unlimited = false) =>
      credits().hold({ userId, generationId, amount, unlimited })
    const kinds = async (userId: string): Promise<string[]> => (await engine.ledger(userId)).map((row) => row.kind)

    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())
    afterEach(async () => {
      expect(await engine.faults()).toEqual([])
    })

    it('creates the account on first use, with the default plan', async () => {
      const user = fresh('user')
      expect(await hold(user, fresh('gen'), 30)).toEqual({ outcome: 'held', remaining: 70 })
      expect(await kinds(user)).toEqual(['month', 'hold'])
    })

    it('lets exactly one of 200 concurrent holds take the last credit', async () => {
      const user = fresh('user')
      await hold(user, fresh('gen'), 99)
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          (at % 2 === 0 ? engine.stores : engine.replica).credits.hold({
            userId: user,
            generationId: fresh('gen'),
            amount: 1,
            unlimited: false,
          }),
        ),
      )
      expect(results.filter((result) => result.outcome === 'held')).toHaveLength(1)
      expect(results.filter((result) => result.outcome === 'insufficient')).toHaveLength(199)
      expect(await remaining(user)).toBe(0)
    })

    it('opens one account for concurrent first uses', async () => {
      const user = fresh('user')
      const results = await Promise.all(Array.from({ length: 20 }, () => hold(user, fresh('gen'), 5)))
      expect(results.every((result) => result.outcome === 'held')).toBe(true)
      expect((await kinds(user)).filter((kind) => kind === 'month')).toHaveLength(1)
      expect(await remaining(user)).toBe(0)
    })

    it('holds once per generation, however often it is called', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      const results = await Promise.all(Array.from({ length: 30 }, () => hold(user, generation, 40)))
      expect(results).toEqual(Array.from({ length: 30 }, () => ({ outcome: 'held', remaining: 60 })))
      expect(await kinds(user)).toEqual(['month', 'hold'])
    })

    it('refuses another user’s generation and an ended one', async () => {
      const [user, other, generation] = [fresh('user'), fresh('user'), fresh('gen')]
      await hold(user, generation, 10)
      expect(await hold(other, generation, 10)).toEqual({ outcome: 'conflict', remaining: 100 })
      await credits().settle(generation, 10)
      expect(await hold(user, generation, 10)).toEqual({ outcome: 'conflict', remaining: 90 })
    })

    it('counts holds until they are settled, and none as overdue within its lifetime', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      const { open: before } = await credits().countOpen()
      await hold(user, generation, 40)
      expect(await credits().countOpen()).toEqual({ open: before + 1, overdue: 0 })
      await credits().settle(generation, 25)
      expect(await credits().countOpen()).toEqual({ open: before, overdue: 0 })
    })

    it('captures a part and returns the rest', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 40)
      expect(await credits().settle(generation, 25)).toEqual({ charged: 25, remaining: 75 })
      const account = await engine.stores.accounts.read(user)
      expect(account).toMatchObject({ remaining: 75, held: 0, used: 25 })
      expect(await engine.ledger(user)).toMatchObject([
        { kind: 'month', amount: 100, delta: 100, balanceAfter: 100 },
        { kind: 'hold', amount: 40, delta: -40, balanceAfter: 60, generationId: generation },
        { kind: 'capture', amount: 25, delta: 15, balanceAfter: 75, generationId: generation },
      ])
    })

    it('releases everything for 0', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 40)
      expect(await credits().settle(generation, 0)).toEqual({ charged: 0, remaining: 100 })
      expect(await kinds(user)).toEqual(['month', 'hold', 'release'])
    })

    it('never captures more than was held', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 4)
      expect(await credits().settle(generation, 50)).toEqual({ charged: 4, remaining: 96 })
    })

    it('keeps the first settlement, despite later and concurrent ones', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 10)
      const first = await credits().settle(generation, 7)
      expect(first).toEqual({ charged: 7, remaining: 93 })
      const again = await Promise.all([0, 7, 10, 3, 0].map((amount) => credits().settle(generation, amount)))
      expect(again).toEqual(Array.from({ length: 5 }, () => first))
      const [other, raced] = [fresh('user'), fresh('gen')]
      await hold(other, raced, 10)
      await Promise.all([0, 1, 2, 3, 4, 5].map((amount) => engine.replica.credits.settle(raced, amount)))
      expect(await kinds(other)).toHaveLength(3)
    })

    it('resolves to undefined for a generation that was never held', async () => {
      expect(await credits().settle(fresh('gen'), 5)).toBeUndefined()
      expect(await credits().renewHold(fresh('gen'))).toBe(false)
    })

    it('takes nothing from an unlimited user and records the usage', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      expect(await hold(user, generation, 5_000, true)).toEqual({ outcome: 'held', remaining: 100 })
      expect(await credits().settle(generation, 4_000)).toEqual({ charged: 0, remaining: 100 })
      expect(await engine.ledger(user)).toMatchObject([
        { kind: 'month' },
        { kind: 'hold', amount: 5_000, delta: 0 },
        { kind: 'capture', amount: 4_000, delta: 0, balanceAfter: 100 },
      ])
      expect(await engine.stores.accounts.read(user)).toMatchObject({ held: 0, used: 0 })
    })

    it('releases a hold that was not renewed, once, even with several sweepers', async () => {
      const user = fresh('user')
      const generations = Array.from({ length: 10 }, () => fresh('gen'))
      for (const generation of generations) await hold(user, generation, 5)
      for (const generation of generations) await engine.expireHold(generation)
      const sweepAll = async (): Promise<number> => {
        const counts = await Promise.all([credits().releaseExpired(100), engine.replica.credits.releaseExpired(100)])
        return counts[0] + counts[1]
      }
      let released = 0
      // Accounts in use are skipped, so two sweepers may need another round.
      await expect.poll(async () => (released += await sweepAll())).toBe(10)
      expect(await remaining(user)).toBe(100)
      expect(await sweepAll()).toBe(0)
    })

    it('does not touch running and renewed holds', async () => {
      const [user, running, renewed] = [fresh('user'), fresh('gen'), fresh('gen')]
      await hold(user, running, 5)
      await hold(user, renewed, 5)
      await engine.expireHold(renewed)
      expect(await credits().renewHold(renewed)).toBe(true)
      expect(await engine.holdLeft(renewed)).toBeGreaterThan(0)
      expect(await credits().releaseExpired(100)).toBe(0)
      expect(await remaining(user)).toBe(90)
    })

    it('charges an expired hold once for a late settlement', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 40)
      await engine.expireHold(generation)
      await credits().releaseExpired(100)
      expect(await remaining(user)).toBe(100)
      expect(await credits().renewHold(generation)).toBe(true)
      expect(await credits().settle(generation, 30)).toEqual({ charged: 30, remaining: 70 })
      expect(await credits().settle(generation, 30)).toEqual({ charged: 30, remaining: 70 })
      expect(await kinds(user)).toEqual(['month', 'hold', 'release', 'capture'])
      expect((await engine.stores.accounts.read(user)).used).toBe(30)
    })

    it('charges an expired hold only as far as the credits reach', async () => {
      const [user, generation, next] = [fresh('user'), fresh('gen'), fresh('gen')]
      await hold(user, generation, 40)
      await engine.expireHold(generation)
      await credits().releaseExpired(100)
      await hold(user, next, 90)
      expect(await credits().settle(generation, 40)).toEqual({ charged: 10, remaining: 0 })
      expect(await credits().settle(next, 90)).toEqual({ charged: 90, remaining: 0 })
    })

    it('returns nothing twice when an expired hold is released late', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 40)
      await engine.expireHold(generation)
      await credits().releaseExpired(100)
      expect(await credits().settle(generation, 0)).toEqual({ charged: 0, remaining: 100 })
      expect(await credits().settle(generation, 40)).toEqual({ charged: 0, remaining: 100 })
    })

    it('lets the part of a hold lapse that was taken from a past month', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 40)
      await engine.endMonth(user)
      expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 100, held: 40, used: 0 })
      expect(await kinds(user)).toEqual(['month', 'hold'])
      expect(await credits().settle(generation, 30)).toEqual({ charged: 30, remaining: 100 })
      expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 100, held: 0, used: 0 })
      expect(await kinds(user)).toEqual(['month', 'hold', 'lapse', 'month', 'capture'])
    })

    it('returns granted credits although the month is over', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await engine.stores.accounts.ensure(user)
      await engine.stores.accounts.grant(user, 50, adminAct())
      await hold(user, generation, 120)
      await engine.endMonth(user)
      expect(await credits().settle(generation, 110)).toEqual({ charged: 110, remaining: 140 })
    })

    it('keeps a running hold through a change of plan', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await hold(user, generation, 60)
      await engine.stores.accounts.assignPlan(user, 'plus', adminAct())
      expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 1_000, held: 60 })
      expect(await credits().settle(generation, 0)).toEqual({ charged: 0, remaining: 1_000 })
    })

    it('settles a finished generation once per event, and agrees with a direct settlement', async () => {
      const [user, generation, event] = [fresh('user'), fresh('gen'), fresh('event')]
      await hold(user, generation, 10)
      const finished = { generationId: generation, userId: user, charge: 6 }
      await Promise.all(Array.from({ length: 10 }, () => credits().settleFinished(event, finished)))
      expect(await credits().settle(generation, 10)).toEqual({ charged: 6, remaining: 94 })
      await credits().settleFinished(fresh('event'), { ...finished, charge: 0 })
      expect(await remaining(user)).toBe(94)
    })

    it('writes nothing for the event of a generation whose settlement told its end, and rejects one of another user', async () => {
      const [user, other, generation] = [fresh('user'), fresh('user'), fresh('gen')]
      await hold(user, generation, 10)
      const usage = { inputTokens: 1, outputTokens: 2, estimated: false }
      const told = { model: 'v3', source: 'web', keyId: null, outcome: 'complete', usage, responseMs: 5 } as const
      const end = { ...told, at: new Date() }
      const [early, event, forged] = [fresh('event'), fresh('event'), fresh('event')]
      const finished = { generationId: generation, charge: 10, end }
      const [settled] = await Promise.all([
        credits().settle(generation, 6, undefined, end),
        credits().settleFinished(early, { ...finished, userId: user }),
      ])
      expect(settled).toEqual({ charged: 6, remaining: 94 })
      await Promise.all([event, event].map((id) => credits().settleFinished(id, { ...finished, userId: user })))
      await expect(credits().settleFinished(forged, { ...finished, userId: other })).rejects.toThrow(/another user/)
      expect([await remaining(user), await remaining(other)]).toEqual([94, 100])
      const { rows } = await sql`select from inbox where event_id in (${early}, ${event}, ${forged})`.execute(engine.db)
      expect(rows).toEqual([])
    })

    it('rejects an event that names another user than the hold', async () => {
      const [user, other, generation] = [fresh('user'), fresh('user'), fresh('gen')]
      await hold(user, generation, 10)
      const event = fresh('event')
      const forged = { generationId: generation, userId: other, charge: 6 }
      await expect(credits().settleFinished(event, forged)).rejects.toThrow(/another user/)
      expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 90, held: 10 })
      expect(await remaining(other)).toBe(100)
      await credits().settleFinished(event, { ...forged, userId: user })
      expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 94, held: 0 })
    })

    it('settles generations that end at once, and a refused one fails alone', async () => {
      const [user, other, foreign] = [fresh('user'), fresh('user'), fresh('gen')]
      const generations = Array.from({ length: 30 }, () => fresh('gen'))
      await Promise.all([hold(other, foreign, 10), ...generations.map((generation) => hold(user, generation, 2))])
      const ends = [...generations.slice(0, 10), foreign, ...generations.slice(10)].map((generationId) => {
        return { event: fresh('event'), finished: { generationId, userId: user, charge: 1 } }
      })
      for (const _time of ['first', 'again']) {
        const settled = await Promise.allSettled(
          ends.map(({ event, finished }) => credits().settleFinished(event, finished)),
        )
        expect(settled.flatMap(({ status }, nth) => (status === 'rejected' ? [nth] : []))).toEqual([10])
        expect(await engine.stores.accounts.read(user)).toMatchObject({ remaining: 70, held: 0, used: 30 })
        expect(await engine.stores.accounts.read(other)).toMatchObject({ remaining: 90, held: 10 })
      }
    })

    it('keeps accounts separate when a hold and another user’s event of one generation race', async () => {
      for (let round = 0; round < 30; round += 1) {
        const [user, other, generation] = [fresh('user'), fresh('user'), fresh('gen')]
        const finished = { generationId: generation, userId: other, charge: 6 }
        const [held, settled] = await Promise.allSettled([
          hold(user, generation, 10),
          engine.replica.credits.settleFinished(fresh('event'), finished),
        ])
        const won = held.status === 'fulfilled' && held.value.outcome === 'held'
        expect(settled.status).toBe(won ? 'rejected' : 'fulfilled')
        expect([await remaining(user), await remaining(other)]).toEqual(won ? [90, 100] : [100, 94])
      }
    })

    it('charges a finished generation without a hold from the available credits, and does not hold for it afterwards', async () => {
      const [user, generation] = [fresh('user'), fresh('gen')]
      await credits().settleFinished(fresh('event'), { generationId: generation, userId: user, charge: 8 })
      expect(await remaining(user)).toBe(92)
      expect(await hold(user, generation, 8)).toEqual({ outcome: 'conflict', remaining: 92 })
      const refused = fresh('gen')
      await credits().settleFinished(fresh('event'), { generationId: refused, userId: user, charge: 0 })
      expect((await hold(user, refused, 8)).outcome).toBe('conflict')
      expect(await remaining(user)).toBe(92)
    })
  })
}
