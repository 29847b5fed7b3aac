import type { Account, Entry, Found, Hold } from '../src/credits/account.ts'

/** The time of decisions in these tests. */
export const now = new Date('2026-03-15T12:00:00.000Z')

/** An account on the free plan, in the middle of its third month, with all of its 100 credits. */
export const givenAccount = (its: Partial<Account> = {}): Account => ({
  userId: 'ann',
  planId: 'free',
  period: 3,
  anchor: new Date('2026-01-01T00:00:00.000Z'),
  periodStart: new Date('2026-03-01T00:00:00.000Z'),
  periodEnd: new Date('2026-04-01T00:00:00.000Z'),
  monthly: 100,
  granted: 0,
  used: 0,
  monthCredits: 100,
  warnedPeriod: null,
  acknowledgedPeriod: null,
  windowStart: null,
  windowCount: 0,
  ...its,
})

/** A running hold of ann's for 40 credits of the current month, which were taken from the account. */
export const givenHold = (its: Partial<Hold> = {}): Hold => ({
  generationId: 'answer',
  userId: 'ann',
  amount: 40,
  unlimited: false,
  fromMonthly: 40,
  fromGranted: 0,
  period: 3,
  state: 'held',
  charged: 0,
  expiresAt: new Date('2026-03-15T12:00:30.000Z'),
  settledAt: null,
  ...its,
})

/** A plan with these monthly credits. */
export const termsWith = (monthlyCredits: number, requestsPerWindow = 30) => ({
  monthlyCredits,
  requestsPerWindow,
  windowMs: 60_000,
})
const plans = new Map([
  ['free', termsWith(100)],
  ['plus', termsWith(1_000, 60)],
  ['none', termsWith(0)],
])

/** The state an act starts from. */
export const given = (account: Partial<Account> = {}, hold?: Partial<Hold>): Found => ({
  account: givenAccount(account),
  hold: hold && givenHold(hold),
  plans,
  now,
})

/** Rows of the ledger without the fields that tests rarely check. */
export const rowsOf = ({ entries }: { readonly entries: readonly Entry[] }) =>
  entries.map(({ kind, amount, delta, balanceAfter }) => ({ kind, amount, delta, balanceAfter }))

/** The previous month is over. */
export const monthOver = {
  anchor: new Date('2026-01-05T10:30:00.000Z'),
  periodStart: new Date('2026-02-05T10:30:00.000Z'),
  periodEnd: new Date('2026-03-05T10:30:00.000Z'),
}
