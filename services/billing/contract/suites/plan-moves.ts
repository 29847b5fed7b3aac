import { adminAct } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillingStores } from '../../src/store/index.ts'
import type { BillingEngine } from '../engine.ts'

const fields = { name: 'Team', description: '', monthlyCredits: 10, requestsPerWindow: 5, windowMs: 1_000 }

/** Tests all guarantees of plan moves on one engine. */
export function planMoveStoreContract(name: string, open: () => Promise<BillingEngine>): void {
  describe(`plan moves on ${name}`, () => {
    let engine: BillingEngine
    let last = 0
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(async () => {
      expect(await engine.faults()).toEqual([])
      await engine.close()
    })

    /** Creates a plan with this many users. */
    const givenPlan = async (count: number): Promise<{ id: string; users: string[] }> => {
      const id = `plan-${++last}`
      await engine.stores.plans.create(id, fields, adminAct())
      const users = Array.from({ length: count }, (_, nth) => `${id}-user-${nth}`)
      for (const user of users) {
        await engine.stores.accounts.ensure(user)
        await engine.stores.accounts.assignPlan(user, id, adminAct())
      }
      return { id, users }
    }
    const moveAll = async (limit: number, { planMoves }: BillingStores = engine.stores): Promise<void> => {
      while (await planMoves.resume(limit, true));
    }
    const planOf = async (user: string): Promise<string> => (await engine.stores.accounts.read(user)).plan.id

    it('assign the plan to all users, a few at a time, and publish one event with their number', async () => {
      const { id, users } = await givenPlan(5)
      const [first = ''] = users
      await engine.stores.accounts.grant(first, 7, adminAct())
      const act = adminAct()
      expect(await engine.stores.planMoves.begin(id, 'plus', act)).toBe('begun')
      await moveAll(2)
      expect(await Promise.all(users.map(planOf))).toEqual(Array(5).fill('plus'))
      expect(await engine.stores.accounts.read(first)).toMatchObject({ remaining: 1_007, plan: { id: 'plus' } })
      expect((await engine.ledger(first)).slice(-2)).toMatchObject([
        { kind: 'lapse', delta: -10, balanceAfter: 7, actorId: 'admin' },
        { kind: 'month', delta: 1_000, balanceAfter: 1_007, actorId: 'admin' },
      ])
      const told = (await engine.events(id)).filter(({ id: event }) => event === act.eventId)
      expect(told).toMatchObject([
        {
          type: 'billing.admin-acted',
          data: { action: 'plan.users-moved', target: id, targetName: 'Team', after: { planId: 'plus', users: 5 } },
        },
      ])
      expect(await engine.stores.planMoves.resume(2, true)).toBe(false)
    })

    it('move each user once, however many replicas take part', async () => {
      const { id, users } = await givenPlan(12)
      await engine.stores.planMoves.begin(id, 'pro', adminAct())
      await Promise.all([moveAll(2), moveAll(2, engine.replica), moveAll(3, engine.replica)])
      for (const user of users) {
        const months = (await engine.ledger(user)).filter(({ kind, amount }) => kind === 'month' && amount === 5_000)
        expect(months).toHaveLength(1)
      }
    })

    it('are exclusive, and keep both plans from deletion until their end', async () => {
      const [from, to] = [await givenPlan(1), await givenPlan(0)]
      const { plans, planMoves } = engine.stores
      expect(await planMoves.begin(from.id, to.id, adminAct())).toBe('begun')
      expect(await planMoves.begin(to.id, from.id, adminAct())).toBe('under_way')
      expect(await plans.remove(to.id, adminAct())).toBe('in_use')
      await moveAll(10)
      expect(await plans.remove(from.id, adminAct())).toBe('removed')
      expect(await planMoves.begin(to.id, 'free', adminAct())).toBe('begun')
      await moveAll(10)
    })

    it('are refused for an unknown plan', async () => {
      expect(await engine.stores.planMoves.begin('free', 'no-plan', adminAct())).toBe('unknown_plan')
      expect(await engine.stores.planMoves.begin('no-plan', 'free', adminAct())).toBe('unknown_plan')
      expect(await engine.stores.planMoves.resume(10, true)).toBe(false)
    })

    it('skip users who got another plan meanwhile', async () => {
      const { id, users } = await givenPlan(3)
      const [, , leaver = ''] = users
      await engine.stores.planMoves.begin(id, 'plus', adminAct())
      await Promise.all([engine.replica.accounts.assignPlan(leaver, 'pro', adminAct()), moveAll(1)])
      expect(await planOf(leaver)).toBe('pro')
    })
  })
}
