import { describe, expect, it } from 'vitest'
import { given, givenHold, monthOver, now, rowsOf } from '../../test/given-account.ts'
import { decideExpiry, decideHold, decideSettlement } from './hold.ts'

const lifetimeMs = 50_000
const request = { generationId: 'answer', userId: 'ann', amount: 40, unlimited: false }
const ending = (charge: number, percent?: number) => ({
  ...{ generationId: 'answer', charge },
  warning: percent === undefined ? undefined : { percent, eventId: 'warning' },
})

describe('a hold', () => {
  it('takes credits from the month first and then from grants, for its lifetime', () => {
    const decision = decideHold(given({ monthly: 30, granted: 20 }), request, lifetimeMs)
    expect(decision.outcome).toEqual({ outcome: 'held', remaining: 10 })
    expect(decision.account).toMatchObject({ monthly: 0, granted: 10, used: 0 })
    expect(decision.hold).toEqual(
      givenHold({ fromMonthly: 30, fromGranted: 10, expiresAt: new Date('2026-03-15T12:00:50.000Z') }),
    )
    expect(decision.entries).toMatchObject([
      { kind: 'hold', amount: 40, delta: -40, balanceAfter: 10, generationId: 'answer', period: 3 },
    ])
  })

  it('takes exactly the last credit, and is refused without a change when one is missing', () => {
    expect(decideHold(given({ monthly: 40 }), request, lifetimeMs).outcome).toEqual({ outcome: 'held', remaining: 0 })
    const found = given({ monthly: 38, granted: 1 })
    const refused = decideHold(found, request, lifetimeMs)
    expect(refused).toEqual({
      ...{ account: found.account, entries: [], events: [] },
      outcome: { outcome: 'insufficient', remaining: 39 },
    })
  })

  it('with a price of 0 takes nothing, even from an empty account', () => {
    const decision = decideHold(given({ monthly: 0 }), { ...request, amount: 0 }, lifetimeMs)
    expect(decision.outcome).toEqual({ outcome: 'held', remaining: 0 })
    expect(rowsOf(decision)).toEqual([{ kind: 'hold', amount: 0, delta: 0, balanceAfter: 0 }])
  })

  it('of an unlimited user takes nothing and is recorded', () => {
    const decision = decideHold(given({ monthly: 5 }), { ...request, unlimited: true }, lifetimeMs)
    expect(decision.outcome).toEqual({ outcome: 'held', remaining: 5 })
    expect(decision.hold).toMatchObject({ amount: 40, unlimited: true, fromMonthly: 0, fromGranted: 0 })
    expect(rowsOf(decision)).toEqual([{ kind: 'hold', amount: 40, delta: 0, balanceAfter: 5 }])
  })

  it('that is repeated takes nothing', () => {
    const again = decideHold(given({ monthly: 60 }, {}), request, lifetimeMs)
    expect(again).toMatchObject({ outcome: { outcome: 'held', remaining: 60 }, entries: [] })
    expect(again.hold).toBeUndefined()
  })

  it.each([{ userId: 'bob' }, { state: 'captured' }, { state: 'released' }, { state: 'expired' }] as const)(
    'of a generation that is %o, is a conflict',
    (its) => {
      const refused = decideHold(given({}, its), request, lifetimeMs)
      expect(refused).toMatchObject({ outcome: { outcome: 'conflict', remaining: 100 }, entries: [] })
    },
  )

  it('after the end of a month takes from the new one, even if it is refused for lack of credits', () => {
    const decision = decideHold(given({ ...monthOver, monthly: 3 }), request, lifetimeMs)
    expect(rowsOf(decision).map(({ kind, delta }) => [kind, delta])).toEqual([
      ['lapse', -3],
      ['month', 100],
      ['hold', -40],
    ])
    expect(decision.hold?.period).toBe(4)
    const refused = decideHold(given(monthOver), { ...request, amount: 101 }, lifetimeMs)
    expect(refused).toMatchObject({ outcome: { outcome: 'insufficient', remaining: 100 }, account: { period: 4 } })
  })
})

describe('the settlement of a running hold', () => {
  it('captures the charge from the month first and returns the rest', () => {
    const decision = decideSettlement(
      given({ monthly: 0, granted: 10 }, { fromMonthly: 30, fromGranted: 10 }),
      ending(35),
    )
    expect(decision.outcome).toEqual({ charged: 35, remaining: 15 })
    expect(decision.account).toMatchObject({ monthly: 0, granted: 15, used: 35 })
    expect(decision.hold).toMatchObject({ state: 'captured', charged: 35, settledAt: now })
    expect(rowsOf(decision)).toEqual([{ kind: 'capture', amount: 35, delta: 5, balanceAfter: 15 }])
  })

  it('captures at most the held amount', () => {
    expect(decideSettlement(given({ monthly: 60 }, {}), ending(50)).outcome).toEqual({ charged: 40, remaining: 60 })
  })

  it('releases everything for a charge of 0', () => {
    const decision = decideSettlement(given({ monthly: 60 }, {}), ending(0, 1))
    expect(decision).toMatchObject({
      outcome: { charged: 0, remaining: 100 },
      hold: { state: 'released', settledAt: now },
    })
    expect(rowsOf(decision)).toEqual([{ kind: 'release', amount: 40, delta: 40, balanceAfter: 100 }])
    expect(decision.events).toEqual([])
  })

  it('after the end of the month returns only the granted part, and counts no usage', () => {
    const found = given({ ...monthOver, monthly: 60, granted: 0 }, { amount: 50, fromMonthly: 40, fromGranted: 10 })
    const decision = decideSettlement(found, ending(45))
    expect(decision.account).toMatchObject({ monthly: 100, granted: 5, used: 0 })
    expect(rowsOf(decision).at(-1)).toEqual({ kind: 'capture', amount: 45, delta: 5, balanceAfter: 105 })
  })

  it('of an unlimited user records the usage and charges nothing', () => {
    const decision = decideSettlement(given({}, { unlimited: true, fromMonthly: 0 }), ending(30, 1))
    expect(decision.outcome).toEqual({ charged: 0, remaining: 100 })
    expect(decision.account.used).toBe(0)
    expect(decision.hold).toMatchObject({ state: 'captured', charged: 0 })
    expect(rowsOf(decision)).toEqual([{ kind: 'capture', amount: 30, delta: 0, balanceAfter: 100 }])
    expect(decision.events).toEqual([])
  })

  it('of another user is rejected and changes nothing, not even the month', () => {
    const found = given(monthOver, { userId: 'bob' })
    expect(decideSettlement(found, ending(5))).toEqual({
      ...{ account: found.account, entries: [], events: [] },
      outcome: 'foreign',
    })
  })
})

describe('a settlement that is repeated or late', () => {
  it.each([
    { state: 'captured', charged: 7 },
    { state: 'released', charged: 0 },
  ] as const)('of a hold that is $state has the first one’s result and changes nothing', (its) => {
    const found = given({ monthly: 93 }, its)
    const decision = decideSettlement(found, ending(40))
    expect(decision).toEqual({
      ...{ account: found.account, hold: found.hold, entries: [], events: [] },
      outcome: { charged: its.charged, remaining: 93 },
    })
  })

  it.each([
    { has: 100, charge: 30, charged: 30 },
    { has: 100, charge: 50, charged: 40 },
    { has: 25, charge: 40, charged: 25 },
  ])('of an expired hold with $has credits left charges $charged of $charge', ({ has, charge, charged }) => {
    const decision = decideSettlement(
      given({ monthly: has - 5, granted: 5, used: 1 }, { state: 'expired' }),
      ending(charge),
    )
    expect(decision.outcome).toEqual({ charged, remaining: has - charged })
    expect(decision.account.used).toBe(1 + charged)
    expect(decision.hold).toMatchObject({ state: 'captured', charged })
    expect(rowsOf(decision)).toEqual([
      { kind: 'capture', amount: charged, delta: -charged, balanceAfter: has - charged },
    ])
  })

  it.each([
    { has: 0, charge: 30 },
    { has: 100, charge: 0 },
  ])('of an expired hold, $has credits and a charge of $charge ends it without a row', ({ has, charge }) => {
    const decision = decideSettlement(given({ monthly: has }, { state: 'expired' }), ending(charge))
    expect(decision).toMatchObject({
      outcome: { charged: 0, remaining: has },
      hold: { state: 'released' },
      entries: [],
    })
  })

  it('of an unlimited user’s expired hold records the usage and charges nothing', () => {
    const decision = decideSettlement(given({ monthly: 3 }, { state: 'expired', unlimited: true }), ending(30))
    expect(decision).toMatchObject({ outcome: { charged: 0, remaining: 3 }, account: { used: 0 } })
    expect(rowsOf(decision)).toEqual([{ kind: 'capture', amount: 30, delta: 0, balanceAfter: 3 }])
  })

  it('without a hold charges the available credits and leaves an ended hold', () => {
    const decision = decideSettlement(given({ monthly: 5 }), ending(8))
    expect(decision.outcome).toEqual({ charged: 5, remaining: 0 })
    expect(decision.hold).toMatchObject({
      generationId: 'answer',
      userId: 'ann',
      amount: 8,
      state: 'captured',
      charged: 5,
    })
    const free = decideSettlement(given(), ending(0))
    expect(free).toMatchObject({ outcome: { charged: 0, remaining: 100 }, hold: { state: 'released' }, entries: [] })
  })
})

describe('a hold that was not renewed', () => {
  it('is released at the end of its lifetime, and can still be settled', () => {
    const decision = decideExpiry(given({ monthly: 60 }, { expiresAt: now }))
    expect(decision).toMatchObject({
      outcome: true,
      account: { monthly: 100, used: 0 },
      hold: { state: 'expired', settledAt: null },
    })
    expect(rowsOf(decision)).toEqual([{ kind: 'release', amount: 40, delta: 40, balanceAfter: 100 }])
  })

  it('lapses with its month, except for its granted part', () => {
    const found = given({ ...monthOver, monthly: 0 }, { fromMonthly: 30, fromGranted: 10, expiresAt: now })
    expect(rowsOf(decideExpiry(found)).at(-1)).toEqual({ kind: 'release', amount: 40, delta: 10, balanceAfter: 110 })
  })

  it.each([
    { state: 'captured' },
    { state: 'released' },
    { state: 'expired' },
    { expiresAt: new Date(now.getTime() + 1) },
  ] as const)('is unchanged when it is %o', (its) => {
    const found = given({}, { expiresAt: now, ...its })
    expect(decideExpiry(found)).toEqual({ account: found.account, entries: [], events: [], outcome: false })
  })

  it('is ignored if it no longer exists', () => {
    expect(decideExpiry(given()).outcome).toBe(false)
  })
})

describe('the warning of a settlement', () => {
  const used = (usedBefore: number, charge: number, its = {}) =>
    decideSettlement(given({ monthly: 60, used: usedBefore, ...its }, {}), ending(charge, 80))

  it('is given with the charge that reaches the threshold exactly, and recorded', () => {
    const decision = used(79, 1)
    expect(decision.account.warnedPeriod).toBe(3)
    expect(decision.events).toEqual([
      {
        ...{ type: 'billing.credit-warning-reached', id: 'warning', at: now.toISOString(), v: 1, key: 'ann' },
        data: { userId: 'ann', usagePercentage: 80, threshold: 80, resetDate: '2026-04-01T00:00:00.000Z' },
      },
    ])
  })

  it('is not given for a charge just below', () => {
    expect(used(78, 1).events).toEqual([])
  })

  it('is given once a month', () => {
    expect(used(90, 1, { warnedPeriod: 3 }).events).toEqual([])
    expect(used(90, 1, { warnedPeriod: 2 }).events).toHaveLength(1)
  })

  it('waits if the threshold is unknown; a repeated settlement that knows it makes up for it', () => {
    expect(decideSettlement(given({ used: 90 }, {}), ending(1)).events).toEqual([])
    const repeated = given({ used: 90 }, { state: 'captured', charged: 5 })
    expect(decideSettlement(repeated, ending(5, 80)).events).toHaveLength(1)
  })

  it('refers to the month’s initial credits without grants, and rounds down', () => {
    const { events } = used(150, 1, { granted: 1_000, monthCredits: 90 })
    expect(events).toMatchObject([{ data: { usagePercentage: 167 } }])
  })

  it('is not given in a month without credits', () => {
    expect(used(0, 40, { monthCredits: 0 }).events).toEqual([])
  })

  it('is not given by an answer that is free', () => {
    expect(used(90, 0).events).toEqual([])
  })
})
