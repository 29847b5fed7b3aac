import { billingInternalRoutes, type Model } from '@parley/contracts'
import { type ServiceClient, unavailable } from '@parley/kit'
import { keyPrincipal, testLog } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPayments } from './payments.ts'

const model = { id: 'gpt', creditsPerMessage: 5 } as Model

/** A fake billing: the settlements of each call. */
function givenPayments() {
  const told: unknown[][] = []
  const renewed: unknown[] = []
  const billing = { isLate: false }
  type Options = { body?: { settlements?: unknown[] }; params?: { generationId: string } }
  const call = async (route: unknown, { body, params }: Options = {}) => {
    if (route === billingInternalRoutes.settleHolds) told.push(body?.settlements ?? [])
    else if (route === billingInternalRoutes.renewHold) renewed.push(params?.generationId)
    else if (billing.isLate) throw unavailable()
    return { remaining: 95 }
  }
  const payments = createPayments({ client: { call } as unknown as ServiceClient, log: testLog })
  const hold = (generationId: string) => payments.hold(generationId, keyPrincipal(), model)
  return { told, renewed, billing, payments, hold }
}

describe('the hold of a finished request', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('captured in full is settled a moment later, together with others', async () => {
    const { told, hold } = givenPayments()
    for (const id of ['one', 'two']) (await hold(id)).settle(5)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    const captures = ['one', 'two'].map((generationId) => ({ generationId, amount: 5 }))
    expect(told).toEqual([captures])
    ;(await hold('three')).settle(5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told).toEqual([captures, [{ generationId: 'three', amount: 5 }]])
  })

  test('with a remainder is settled immediately, together with waiting captures', async () => {
    const { told, hold } = givenPayments()
    const [captured, released] = [await hold('captured'), await hold('released')]
    captured.settle(5)
    released.settle(0)
    const both = [
      { generationId: 'captured', amount: 5 },
      { generationId: 'released', amount: 0 },
    ]
    expect(told).toEqual([both])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told).toEqual([both])
  })

  test('is settled before a stop completes', async () => {
    const { told, hold, payments } = givenPayments()
    payments.start()
    ;(await hold('last')).settle(5)
    await payments.stop()
    expect(told).toEqual([[{ generationId: 'last', amount: 5 }]])
  })

  test('is renewed no more, unlike that of one in progress', async () => {
    const { renewed, hold, payments } = givenPayments()
    payments.start()
    const [ended] = [await hold('ended'), await hold('in progress')]
    ended.settle(0)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(new Set(renewed)).toEqual(new Set(['in progress']))
    await payments.stop()
  })

  test('is released if it may have been made by a call that failed', async () => {
    const { told, billing, hold } = givenPayments()
    billing.isLate = true
    await expect(hold('late')).rejects.toMatchObject({ code: 'unavailable' })
    expect(told).toEqual([[{ generationId: 'late', amount: 0 }]])
  })

  test('is settled in calls of at most a hundred', async () => {
    const { told, hold } = givenPayments()
    for (let nth = 0; nth < 150; nth += 1) (await hold(`generation${nth}`)).settle(5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told.map(({ length }) => length)).toEqual([100, 50])
  })
})
