import { adminAct } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillingEngine } from '../engine.ts'

/** Tests all guarantees of the account store on one engine. */
export function accountStoreContract(name: string, open: () => Promise<BillingEngine>): void {
  describe(`account store on ${name}`, () => {
    let engine: BillingEngine
    let last = 0
    const fresh = (): string => `user-${++last}`
    const accounts = () => engine.stores.accounts
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(async () => {
      expect(await engine.faults()).toEqual([])
      await engine.close()
    })

    it('creates one account for concurrent first uses', async () => {
      const user = fresh()
      const made = await Promise.all(Array.from({ length: 20 }, () => accounts().ensure(user)))
      expect(new Set(made)).toEqual(new Set([true]))
      expect(await engine.ledger(user)).toHaveLength(1)
    })

    it('shows an account that does not exist yet as it will be, and does not create it', async () => {
      const user = fresh()
      const before = await accounts().read(user)
      expect(before).toMatchObject({ remaining: 100, held: 0, used: 0, plan: { id: 'free' } })
      expect([await accounts().readKnown([user]), await engine.ledger(user)]).toEqual([[], []])
      await accounts().ensure(user)
      const { periodEnd, ...made } = await accounts().read(user)
      expect({ ...before, periodEnd }).toEqual({ ...made, periodEnd })
    })

    it('shows the current month before any act, and changes nothing', async () => {
      const user = fresh()
      await accounts().ensure(user)
      await accounts().grant(user, 25, adminAct())
      await engine.stores.credits.hold({ generationId: `of-${user}`, userId: user, amount: 10, unlimited: false })
      await engine.endMonth(user)
      const before = [await engine.ledger(user), await engine.events(user)]
      const seen = await accounts().read(user)
      expect(seen).toMatchObject({ remaining: 125, held: 10, used: 0 })
      expect(await accounts().readKnown([user])).toEqual([seen])
      expect([await engine.ledger(user), await engine.events(user)]).toEqual(before)
      await accounts().ensure(user)
      expect((await engine.ledger(user)).map((row) => row.kind)).toEqual(['month', 'grant', 'hold', 'lapse', 'month'])
      expect(await accounts().read(user)).toEqual(seen)
    })

    it('returns existing accounts only', async () => {
      const user = fresh()
      await accounts().ensure(user)
      const known = await accounts().readKnown([user, 'nobody'])
      expect(known.map((account) => account.userId)).toEqual([user])
      expect(known[0]).toEqual(await accounts().read(user))
    })

    it('applies each of 50 concurrent grants', async () => {
      const user = fresh()
      await accounts().ensure(user)
      await Promise.all(Array.from({ length: 50 }, () => accounts().grant(user, 10, adminAct())))
      expect((await accounts().read(user)).remaining).toBe(600)
      expect((await engine.ledger(user)).at(-1)).toMatchObject({ kind: 'grant', amount: 10, actorId: 'admin' })
    })

    it('starts a new month once, however many acts find the old one over', async () => {
      const user = fresh()
      await accounts().ensure(user)
      await accounts().grant(user, 25, adminAct())
      await engine.endMonth(user)
      await Promise.all(Array.from({ length: 20 }, () => accounts().ensure(user)))
      expect((await engine.ledger(user)).map((row) => row.kind)).toEqual(['month', 'grant', 'lapse', 'month'])
      const account = await accounts().read(user)
      expect(account).toMatchObject({ remaining: 125, used: 0 })
      expect(account.periodEnd.getTime()).toBeGreaterThan(Date.now())
    })

    it('ends months on the anchor’s day, or on the last day of shorter months', async () => {
      const user = fresh()
      await accounts().ensure(user)
      const begun = new Date(Date.UTC(new Date().getUTCFullYear() - 2, 0, 31, 10, 30))
      await engine.startPlanAt(user, begun)
      const { periodEnd } = await accounts().read(user)
      const lastDay = new Date(Date.UTC(periodEnd.getUTCFullYear(), periodEnd.getUTCMonth() + 1, 0)).getUTCDate()
      expect(periodEnd.getUTCDate()).toBe(lastDay)
      expect(periodEnd.toISOString()).toMatch(/T10:30:00.000Z$/)
      const before = new Date(periodEnd.getTime() - 32 * 86_400_000)
      expect(before.getTime()).toBeLessThan(Date.now())
    })

    it('starts the assigned plan’s full month immediately and keeps grants', async () => {
      const user = fresh()
      await accounts().ensure(user)
      await accounts().grant(user, 7, adminAct())
      expect(await accounts().assignPlan(user, 'pro', adminAct())).toBe('assigned')
      expect(await accounts().read(user)).toMatchObject({ remaining: 5_007, plan: { id: 'pro', name: 'Pro' } })
      expect(await engine.ledger(user)).toMatchObject([
        { kind: 'month' },
        { kind: 'grant' },
        { kind: 'lapse', delta: -100, balanceAfter: 7, actorId: 'admin' },
        { kind: 'month', delta: 5_000, balanceAfter: 5_007, actorId: 'admin' },
      ])
    })

    it('does nothing for unknown users and plans', async () => {
      const user = fresh()
      expect(await accounts().grant('nobody', 5, adminAct())).toBe(false)
      expect(await accounts().assignPlan('nobody', 'pro', adminAct())).toBe('unknown_user')
      await accounts().ensure(user)
      expect(await accounts().assignPlan(user, 'no-plan', adminAct())).toBe('unknown_plan')
      expect(await accounts().read(user)).toMatchObject({ remaining: 100, plan: { id: 'free' } })
    })
  })
}
