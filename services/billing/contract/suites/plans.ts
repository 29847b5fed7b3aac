import { adminAct } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillingEngine } from '../engine.ts'

const fields = { name: 'Team', description: 'Many', monthlyCredits: 10, requestsPerWindow: 5, windowMs: 1_000 }

/** Tests all guarantees of the plan store on one engine. */
export function planStoreContract(name: string, open: () => Promise<BillingEngine>): void {
  describe(`plan store on ${name}`, () => {
    let engine: BillingEngine
    const plans = () => engine.stores.plans
    const defaults = async (): Promise<string[]> =>
      (await plans().list()).filter((plan) => plan.default).map((plan) => plan.id)
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())

    it('starts with Free, Plus and Pro, Free being the default', async () => {
      const seeded = (await plans().list()).map((plan) => [plan.name, plan.monthlyCredits, plan.default])
      expect(seeded).toEqual([
        ['Free', 100, true],
        ['Plus', 1_000, false],
        ['Pro', 5_000, false],
      ])
    })

    it('creates, partially updates and removes', async () => {
      expect(await plans().create('team', fields, adminAct())).toEqual({
        id: 'team',
        ...fields,
        default: false,
        version: 1,
      })
      const changed = { id: 'team', ...fields, monthlyCredits: 20, default: false, version: 2 }
      expect(await plans().update('team', { monthlyCredits: 20 }, adminAct(), 1)).toEqual({
        ...{ outcome: 'changed', plan: changed },
      })
      expect(await plans().update('team', { name: 'Late' }, adminAct(), 1)).toEqual({
        ...{ outcome: 'conflict', plan: changed },
      })
      expect((await plans().list())[0]).toEqual(changed)
      expect(await plans().remove('team', adminAct())).toBe('removed')
      expect(await plans().remove('team', adminAct())).toBe('unknown')
      expect(await plans().update('team', { name: 'Gone' }, adminAct())).toBeUndefined()
    })

    it('keeps exactly one default, which new users get at once', async () => {
      await Promise.all(['plus', 'pro', 'free', 'plus', 'pro'].map((id) => plans().makeDefault(id, adminAct())))
      expect(await defaults()).toHaveLength(1)
      expect(await plans().makeDefault('plus', adminAct())).toMatchObject({ id: 'plus', default: true })
      expect(await defaults()).toEqual(['plus'])
      expect(await engine.stores.accounts.read('newcomer')).toMatchObject({ plan: { id: 'plus' }, remaining: 1_000 })
      expect(await plans().makeDefault('no-plan', adminAct())).toBeUndefined()
      expect(await defaults()).toEqual(['plus'])
      await plans().makeDefault('free', adminAct())
    })

    it('removes neither the default nor a plan in use', async () => {
      await plans().create('used', fields, adminAct())
      await engine.stores.accounts.ensure('member')
      await engine.stores.accounts.assignPlan('member', 'used', adminAct())
      expect(await plans().remove('used', adminAct())).toBe('in_use')
      expect(await plans().remove('free', adminAct())).toBe('in_use')
    })

    it('lets either the removal or the assignment win, never both', async () => {
      await engine.stores.accounts.ensure('racer')
      for (let round = 0; round < 10; round += 1) {
        const id = `raced-${round}`
        await plans().create(id, fields, adminAct())
        const [removed, assigned] = await Promise.all([
          plans().remove(id, adminAct()),
          engine.replica.accounts.assignPlan('racer', id, adminAct()),
        ])
        expect([removed, assigned]).toEqual(
          removed === 'removed' ? ['removed', 'unknown_plan'] : ['in_use', 'assigned'],
        )
      }
    })

    it('does not make a plan the default that is being removed', async () => {
      await plans().create('leaving', fields, adminAct())
      const { making } = await engine.db.transaction().execute(async (removing) => {
        await removing.deleteFrom('plans').where('id', '=', 'leaving').execute()
        const begun = engine.replica.plans.makeDefault('leaving', adminAct())
        await expect.poll(() => engine.waitingForLock()).toBe(1)
        return { making: begun }
      })
      expect(await making).toBeUndefined()
      expect(await defaults()).toEqual(['free'])
    })

    it('changes running months only from the next one', async () => {
      await engine.stores.accounts.ensure('patient')
      await plans().update('free', { monthlyCredits: 150 }, adminAct())
      expect(await engine.stores.accounts.read('patient')).toMatchObject({ remaining: 100 })
      await engine.endMonth('patient')
      expect(await engine.stores.accounts.read('patient')).toMatchObject({ remaining: 150 })
    })
  })
}
