import { describe, expect, it } from 'vitest'
import { given, givenAccount, monthOver, now, rowsOf, termsWith } from '../../test/given-account.ts'
import { inPresentMonth, record, startMonth } from './account.ts'

describe('an account in the current month', () => {
  it('is unchanged while its month is running', () => {
    const found = given({ monthly: 7 })
    expect(inPresentMonth(found)).toEqual({ account: found.account, entries: [] })
    expect(inPresentMonth(found).account).toBe(found.account)
  })

  it('starts the anchor’s next month once its month is over: the rest lapses, grants stay, and usage is reset', () => {
    const books = inPresentMonth(given({ ...monthOver, monthly: 40, granted: 25, used: 60, warnedPeriod: 3 }))
    expect(books.account).toEqual(
      givenAccount({
        ...{ period: 4, anchor: monthOver.anchor, granted: 25, warnedPeriod: 3 },
        periodStart: new Date('2026-03-05T10:30:00.000Z'),
        periodEnd: new Date('2026-04-05T10:30:00.000Z'),
      }),
    )
    expect(rowsOf(books)).toEqual([
      { kind: 'lapse', amount: 40, delta: -40, balanceAfter: 25 },
      { kind: 'month', amount: 100, delta: 100, balanceAfter: 125 },
    ])
    expect(books.entries.map(({ period, actorId }) => [period, actorId])).toEqual([
      [3, null],
      [4, null],
    ])
  })

  it('starts the next month at the exact end of the last one', () => {
    expect(inPresentMonth(given({ periodEnd: now })).account.period).toBe(4)
    expect(inPresentMonth(given({ periodEnd: new Date(now.getTime() + 1) })).account.period).toBe(3)
  })

  it('skips to the current month after several months without an act', () => {
    const { account, entries } = inPresentMonth(given({ ...monthOver, anchor: new Date('2025-01-31T10:30:00.000Z') }))
    expect([account.periodStart, account.periodEnd].map((each) => each.toISOString())).toEqual([
      '2026-02-28T10:30:00.000Z',
      '2026-03-31T10:30:00.000Z',
    ])
    expect([account.period, entries.length]).toEqual([4, 2])
  })

  it('lets nothing lapse if nothing was left of the month before', () => {
    expect(rowsOf(inPresentMonth(given({ ...monthOver, monthly: 0 })))).toEqual([
      { kind: 'month', amount: 100, delta: 100, balanceAfter: 100 },
    ])
  })

  it('gets a changed plan’s credits from this month on; a plan without credits gives 0', () => {
    const found = { ...given(monthOver), plans: new Map([['free', termsWith(150)]]) }
    expect(inPresentMonth(found).account).toMatchObject({ monthly: 150, monthCredits: 150 })
    expect(rowsOf(inPresentMonth(given({ ...monthOver, planId: 'none', monthly: 0 })))).toEqual([
      { kind: 'month', amount: 0, delta: 0, balanceAfter: 0 },
    ])
  })

  it('is in its first month if it was just created', () => {
    const made = { period: 0, monthly: 0, monthCredits: 0, anchor: now, periodStart: now, periodEnd: now }
    const { account } = inPresentMonth(given(made))
    expect(account).toMatchObject({ period: 1, monthly: 100, monthCredits: 100, periodStart: now })
    expect(account.periodEnd.toISOString()).toBe('2026-04-15T12:00:00.000Z')
  })
})

it('a month of an unknown plan is refused', () => {
  const { account, plans } = given()
  const books = { account, entries: [] }
  expect(() => startMonth(books, plans, { planId: 'gone', anchor: now, now })).toThrow('No plan gone')
})

it('a row of the ledger has the balance after the act, and its delta is the change of the balance', () => {
  const first = record(
    { account: givenAccount(), entries: [] },
    { granted: 5 },
    { kind: 'grant', amount: 5, actorId: 'eve' },
  )
  const second = record(first, { monthly: 90 }, { kind: 'hold', amount: 10, generationId: 'answer' })
  expect(second.entries).toEqual([
    {
      ...{ userId: 'ann', kind: 'grant', amount: 5, delta: 5, balanceAfter: 105 },
      period: 3,
      generationId: null,
      actorId: 'eve',
    },
    {
      ...{ userId: 'ann', kind: 'hold', amount: 10, delta: -10, balanceAfter: 95 },
      period: 3,
      generationId: 'answer',
      actorId: null,
    },
  ])
})
