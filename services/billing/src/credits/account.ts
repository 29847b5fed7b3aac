import type { Event, GenerationOutcome, Receipt, Usage } from '@parley/contracts'
import { monthStart, monthsPassed } from './months.ts'

/** What a user may spend, in two buckets: the month's credits, which end with the month, and granted ones, which stay. Held credits are in neither. */
export interface Account {
  readonly userId: string
  readonly planId: string
  /** Counts months and plan changes, so that a hold knows the month it took from; 0 before the first. */
  readonly period: number
  /** When the plan was assigned; months are counted from here. */
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly monthly: number
  readonly granted: number
  /** Captured in this period. */
  readonly used: number
  /** What the month began with: a share of it is what warnings count. */
  readonly monthCredits: number
  /** The last period whose warning was given. */
  readonly warnedPeriod: number | null
  /** The last period whose warning the user has seen and wants no more of. */
  readonly acknowledgedPeriod: number | null
  /** When the window of requests began that was counted in last; null before the first. */
  readonly windowStart: Date | null
  /** Requests of that window. */
  readonly windowCount: number
}

/** Credits that a generation has set aside, or what became of them. */
export interface Hold {
  readonly generationId: string
  readonly userId: string
  readonly amount: number
  /** Nothing is taken from the account; the use is recorded. */
  readonly unlimited: boolean
  readonly fromMonthly: number
  readonly fromGranted: number
  /** The account's when it was made. */
  readonly period: number
  /** expired: given back because nobody renewed it; it can still be settled once. */
  readonly state: 'held' | 'expired' | 'captured' | 'released'
  readonly charged: number
  readonly expiresAt: Date
  readonly settledAt: Date | null
}

/** What was asked for, beside what it costs. */
export interface Asked {
  readonly model: string
  readonly source: Receipt['source']
  readonly keyId: string | null
}

/** How a generation ended, as its event tells. */
export interface End extends Asked {
  readonly outcome: GenerationOutcome
  readonly usage: Usage
  /** Null when it is not known. */
  readonly responseMs: number | null
  /** Of an answer on the web with a visible character. */
  readonly firstTokenMs?: number | undefined
  /** When the event was written. */
  readonly at: Date
  /** As the answer names itself to its program. */
  readonly answerId?: string | undefined
}

/** What receipts and usage know of a generation beside the ledger. */
export interface Generation extends Asked {
  readonly generationId: string
  readonly userId: string
  /** When it was held, or, where it was not, when it ended. */
  readonly at: Date
  /** Null while it runs. */
  readonly end:
    | (Pick<End, 'outcome' | 'responseMs' | 'firstTokenMs' | 'answerId'> & {
        readonly inputTokens: number
        readonly outputTokens: number
        readonly estimated: boolean
        readonly charged: number
        readonly balanceAfter: number
      })
    | null
}

/** A row of the ledger. `amount` is the size of the act, `delta` its effect on the balance. */
export interface Entry {
  readonly userId: string
  readonly kind: 'month' | 'lapse' | 'grant' | 'hold' | 'capture' | 'release'
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly period: number
  readonly generationId: string | null
  /** The admin who did it, where one did. */
  readonly actorId: string | null
}

/** An account after an act, and the rows of the ledger that led there. */
export interface Books {
  readonly account: Account
  readonly entries: readonly Entry[]
}

/** What a plan grants: credits of a month, and requests of a window. */
export interface PlanTerms {
  readonly monthlyCredits: number
  readonly requestsPerWindow: number
  readonly windowMs: number
}

/** The terms of each plan, by its id. */
export type Plans = ReadonlyMap<string, PlanTerms>

/** What an act is decided on: an account, the hold of the act's generation, the plans, and the time. */
export interface Found {
  readonly account: Account
  readonly hold: Hold | undefined
  readonly plans: Plans
  readonly now: Date
}

/** What an act comes to: its outcome, the account and the hold afterwards, and what is told of it. */
export interface Decision<Outcome> extends Books {
  readonly outcome: Outcome
  /** Made or changed by the act. */
  readonly hold?: Hold
  /** What became known of its generation. */
  readonly generation?: Generation | undefined
  readonly events: readonly Event[]
}

/** What may be spent. */
export const balanceOf = ({ monthly, granted }: Account): number => monthly + granted

/** Changes an account and says so in a row, whose delta is what the balance changed by. */
export function record(
  { account, entries }: Books,
  change: Partial<Account>,
  entry: Pick<Entry, 'kind' | 'amount'> & Partial<Pick<Entry, 'generationId' | 'actorId'>>,
): Books {
  const after = { ...account, ...change }
  const row: Entry = {
    userId: account.userId,
    delta: balanceOf(after) - balanceOf(account),
    balanceAfter: balanceOf(after),
    period: after.period,
    generationId: null,
    actorId: null,
    ...entry,
  }
  return { account: after, entries: [...entries, row] }
}

/** The account in the present month, which begins when the last one is over: what was left of that lapses, grants stay. */
export function inPresentMonth({ account, plans, now }: Omit<Found, 'hold'>): Books {
  const books = { account, entries: [] }
  return account.periodEnd > now
    ? books
    : startMonth(books, plans, { planId: account.planId, anchor: account.anchor, now })
}

/** @throws RangeError when there is no such plan */
export function termsOf(plans: Plans, planId: string): PlanTerms {
  const terms = plans.get(planId)
  if (terms === undefined) throw new RangeError(`No plan ${planId}`)
  return terms
}

/** Starts a full month of a plan. @throws RangeError when there is no such plan */
export function startMonth(
  books: Books,
  plans: Plans,
  { planId, anchor, now, actorId = null }: { planId: string; anchor: Date; now: Date; actorId?: string | null },
): Books {
  const { monthlyCredits: credits } = termsOf(plans, planId)
  const { monthly, period } = books.account
  const lapsed = monthly > 0 ? record(books, { monthly: 0 }, { kind: 'lapse', amount: monthly, actorId }) : books
  const months = monthsPassed(anchor, now)
  const begun = {
    planId,
    period: period + 1,
    anchor,
    periodStart: monthStart(anchor, months),
    periodEnd: monthStart(anchor, months + 1),
    monthly: credits,
    monthCredits: credits,
    used: 0,
  }
  return record(lapsed, begun, { kind: 'month', amount: credits, actorId })
}
