import type { EventOf } from '@parley/contracts'
import { adminAct } from '@parley/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BillingStores } from '../../src/store/index.ts'
import type { BillingEngine } from '../engine.ts'

/** Tests the credit store's warnings on one engine. The default plan has 100 credits a month. */
export function creditWarningContract(name: string, open: () => Promise<BillingEngine>): void {
  describe(`credit warnings on ${name}`, () => {
    let engine: BillingEngine
    let last = 0
    const fresh = (what: string): string => `${what}-${++last}`
    const warnings = async (userId: string) =>
      (await engine.events(userId))
        .filter(
          (event): event is EventOf<'billing.credit-warning-reached'> =>
            event.type === 'billing.credit-warning-reached',
        )
        .map(({ data }) => data)
    /** Holds and captures an amount. */
    async function spend(userId: string, amount: number, warnAt?: number, stores: BillingStores = engine.stores) {
      const generationId = fresh('gen')
      await stores.credits.hold({ generationId, userId, amount, unlimited: false })
      await stores.credits.settle(generationId, amount, warnAt)
    }

    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())
    afterEach(async () => {
      expect(await engine.faults()).toEqual([])
    })

    it('are given with the charge that reaches the threshold, not before and not again', async () => {
      const userId = fresh('user')
      await spend(userId, 79, 80)
      expect(await warnings(userId)).toEqual([])
      await spend(userId, 1, 80)
      const { periodEnd } = await engine.stores.accounts.read(userId)
      const expected = [{ userId, usagePercentage: 80, threshold: 80, resetDate: periodEnd.toISOString() }]
      expect(await warnings(userId)).toEqual(expected)
      await spend(userId, 20, 80)
      expect(await warnings(userId)).toEqual(expected)
    })

    it('are given once when concurrent charges on two replicas reach the threshold', async () => {
      const userId = fresh('user')
      await spend(userId, 70)
      await Promise.all(
        Array.from({ length: 30 }, (_value, at) =>
          spend(userId, 1, 71 + (at % 3), at % 2 === 0 ? engine.stores : engine.replica),
        ),
      )
      expect(await warnings(userId)).toHaveLength(1)
    })

    it('are also given by an event’s settlement, once however often it is delivered', async () => {
      const [userId, generationId, event] = [fresh('user'), fresh('gen'), fresh('event')]
      await engine.stores.credits.hold({ generationId, userId, amount: 90, unlimited: false })
      const finished = { generationId, userId, charge: 90 }
      await Promise.all(Array.from({ length: 10 }, () => engine.stores.credits.settleFinished(event, finished, 80)))
      await engine.stores.credits.settle(generationId, 90, 80)
      expect(await warnings(userId)).toMatchObject([{ usagePercentage: 90 }])
    })

    it('wait for a charge with a known threshold, and follow a lowered one with the next charge', async () => {
      const userId = fresh('user')
      await spend(userId, 85)
      await spend(userId, 1, 90)
      expect(await warnings(userId)).toEqual([])
      await spend(userId, 1, 60)
      expect(await warnings(userId)).toMatchObject([{ usagePercentage: 87, threshold: 60 }])
    })

    it('are given again in the next month', async () => {
      const userId = fresh('user')
      await spend(userId, 90, 80)
      await engine.endMonth(userId)
      await spend(userId, 10, 80)
      expect(await warnings(userId)).toHaveLength(1)
      await spend(userId, 70, 80)
      expect(await warnings(userId)).toHaveLength(2)
    })

    it('refer to the month’s initial credits without grants, and start over with another plan', async () => {
      const userId = fresh('user')
      await spend(userId, 10, 80)
      await engine.stores.accounts.grant(userId, 1_000, adminAct())
      await spend(userId, 170, 80)
      expect(await warnings(userId)).toMatchObject([{ usagePercentage: 180 }])
      await engine.stores.accounts.assignPlan(userId, 'plus', adminAct())
      await spend(userId, 700, 80)
      expect(await warnings(userId)).toHaveLength(1)
      await spend(userId, 100, 80)
      expect(await warnings(userId)).toHaveLength(2)
    })

    it('are not given for releases, for unlimited users, or in a month without credits', async () => {
      const [userId, admin, poor] = [fresh('user'), fresh('user'), fresh('user')]
      await spend(userId, 85)
      const released = fresh('gen')
      await engine.stores.credits.hold({ generationId: released, userId, amount: 5, unlimited: false })
      await engine.stores.credits.settle(released, 0, 80)
      const free = fresh('gen')
      await engine.stores.credits.hold({ generationId: free, userId: admin, amount: 95, unlimited: true })
      await engine.stores.credits.settle(free, 95, 80)
      const plan = { name: 'None', description: '', monthlyCredits: 0, requestsPerWindow: 1, windowMs: 1_000 }
      const { id } = await engine.stores.plans.create(fresh('plan'), plan, adminAct())
      await engine.stores.accounts.ensure(poor)
      await engine.stores.accounts.assignPlan(poor, id, adminAct())
      await engine.stores.accounts.grant(poor, 50, adminAct())
      await spend(poor, 50, 1)
      for (const nobody of [userId, admin, poor]) expect(await warnings(nobody)).toEqual([])
    })
  })
}
