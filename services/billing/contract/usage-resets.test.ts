import { hash } from 'node:crypto'
import { newId } from '@parley/kit'
import { adminAct } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BillingStores } from '../src/store/index.ts'
import { countGenerations, lockCounting } from '../src/store/usage-store.ts'
import { type BillingEngine, openBillingEngine } from './engine.ts'

const usage = { inputTokens: 1, outputTokens: 1, estimated: false }

describe('the usage of a key', () => {
  let engine: BillingEngine
  let keyId: string
  beforeAll(async () => {
    engine = await openBillingEngine()
  })
  beforeEach(async () => {
    keyId = newId()
    const secret = { hash: hash('sha256', keyId), prefix: 'sk-abcd', lastFour: 'wxyz' }
    await engine.stores.keys.create({ id: keyId, userId: 'ann', label: 'Build', expiresAt: null, secret })
  })
  afterAll(() => engine.close())

  const finish = async (): Promise<void> => {
    const end = { model: 'v3', source: 'key', keyId, outcome: 'complete', usage, responseMs: 1 } as const
    const finished = { generationId: newId(), userId: 'ann', charge: 1, end: { ...end, at: new Date() } }
    await engine.stores.credits.settleFinished(newId(), finished)
  }
  const requests = async () => (await engine.stores.usage.ofKeys([keyId])).get(keyId)?.total.requests ?? 0
  const resets: [string, (stores: BillingStores) => Promise<unknown>][] = [
    ['of this key', ({ keyAdmin }) => keyAdmin.resetUsage(keyId, adminAct())],
    ['of all keys', ({ keyAdmin }) => keyAdmin.resetAllUsage(adminAct())],
  ]

  it.each(resets)(
    'does not return after a reset %s, although it had not been counted, and later usage is',
    async (_which, reset) => {
      await finish()
      await reset(engine.stores)
      await engine.stores.usage.count(10)
      expect(await requests()).toBe(0)
      await finish()
      await engine.stores.usage.count(10)
      expect(await requests()).toBe(1)
    },
  )

  it.each(resets)(
    'does not return after a reset %s during a count, for which the reset waits',
    async (_which, reset) => {
      await finish()
      const { resetting } = await engine.db.transaction().execute(async (counting) => {
        expect(await countGenerations(counting, 10)).toBe(1)
        const begun = reset(engine.replica)
        await expect.poll(() => engine.waitingForLock()).toBe(1)
        return { resetting: begun }
      })
      await resetting
      expect(await requests()).toBe(0)
    },
  )

  it('is reset although a count that reaches the key only afterwards has begun, and neither fails', async () => {
    await finish()
    const { resetting } = await engine.db.transaction().execute(async (counting) => {
      await lockCounting(counting)
      const begun = engine.replica.keyAdmin.resetUsage(keyId, adminAct())
      await expect.poll(() => engine.waitingForLock()).toBe(1)
      expect(await countGenerations(counting, 10)).toBe(1)
      return { resetting: begun }
    })
    expect(await resetting).toMatchObject({ id: keyId })
    expect(await requests()).toBe(0)
  })
})
