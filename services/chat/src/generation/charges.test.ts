import { billingInternalRoutes } from '@parley/contracts'
import { AppError, createLogger, unavailable } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import { type ChargesDeps, createCharges } from './charges.ts'
import { defaultTiming } from './timing.ts'

/** Charges at a billing that fails its first calls like this. */
function given(...failures: readonly Error[]) {
  const called: unknown[] = []
  const left = [...failures]
  const deps = {
    client: {
      call: async (route: unknown) => {
        called.push(route)
        const failure = left.shift()
        if (failure !== undefined) throw failure
        return { remaining: 9 }
      },
    },
    allowance: { take: async () => ({ remaining: 1 }) },
    timing: defaultTiming,
    log: createLogger('test', 'silent'),
  } as unknown as ChargesDeps
  return { charges: createCharges(deps), called }
}
const user = { id: 'g1', ownerId: 'ann', guest: null }
const guest = { id: 'g1', ownerId: 'guest:s1', guest: { sessionId: 's1', network: '4:192.0.2.1' } }
const item = { credits: 1, unlimited: false, model: 'v3', source: 'web' as const }
const { hold } = billingInternalRoutes

it.each([
  ['none', [], { remaining: 9 }, 1],
  ['an unavailable replica of billing', [unavailable()], { remaining: 9 }, 2],
  ['two of them', [unavailable(), unavailable()], 'unavailable', 2],
  ['a refusal', [new AppError('insufficient_credits', 'None left')], 'insufficient_credits', 1],
  ['a limit', [new AppError('rate_limited', 'Too many')], 'rate_limited', 1],
  ['anything else', [new AppError('validation_failed', 'Wrong')], 'unavailable', 1],
])('credits are held at most twice, after %s', async (_what, failures, expected, times) => {
  const { charges, called } = given(...failures)
  const reserved = await charges.reserve(user, item).catch(({ code }: AppError) => code)
  expect(reserved).toEqual(expected)
  expect(called).toEqual(Array(times).fill(hold))
})

it('a hold that failed late is not asked for again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const late = unavailable()
  const { charges, called } = given(late)
  const reserving = charges.reserve(user, item)
  vi.advanceTimersByTime(defaultTiming.billingMs / 2 + 1)
  await expect(reserving).rejects.toMatchObject({ code: 'unavailable' })
  expect(called).toEqual([hold])
  vi.useRealTimers()
})

it('nothing of a guest is held or renewed at billing', async () => {
  const { charges, called } = given()
  await charges.reserve(guest, item)
  await charges.renew(guest)
  expect(called).toEqual([])
  await charges.renew(user)
  expect(called).toEqual([billingInternalRoutes.renewHold])
})
