import type { Event, GenerationOutcome, Receipt, Usage } from '@parley/contracts'
import { monthStart, monthsPassed } from './months.ts'

/** A user's spendable credits in two buckets: the month's, which lapse with it, and granted ones, which stay. Held credits are in neither. */
export interface Account {
  readonly userId: string
  readonly planId: string
  /** Counts months and plan changes, so that a hold knows the month it was taken from; 0 before the first. */
  readonly period: number
  /** When the plan was assigned; months are counted from here. */
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly monthly: number
  readonly granted: number
  /** Captured in this period. */
  readonly used: number
  /** The month's initial credits; warnings refer to a share of it. */
  readonly monthCredits: number
  /** The last period with a warning. */
  readonly warnedPeriod: number | null
  /** The last period whose warning the user has acknowledged. */
  readonly acknowledgedPeriod: number | null
  /** Start of the request window that was last counted in; null before the first. */
  readonly windowStart: Date | null
  /** Requests in that window. */
  readonly windowCount: number
}

/** Credits set aside for a generation, and their outcome. */
export interface Hold {
  readonly generationId: string
  readonly userId: string
  readonly amount: number
  /** Nothing is taken from the account; usage is recorded. */
  readonly unlimited: boolean
  readonly fromMonthly: number
  readonly fromGranted: number
  /** The account's period at the time of the hold. */
  readonly period: number
  /** expired: released because it was not renewed; it can still be settled once. */
  readonly state: 'held' | 'expired' | 'captured' | 'released'
  readonly charged: number
  readonly expiresAt: Date
  readonly settledAt: Date | null
}

/** What was requested, apart from the cost. */
export interface Asked {
  readonly model: string
  readonly source: Receipt['source']
  readonly keyId: string | null
}

/** The end of a generation, from its event. */
export interface End extends Asked {
  readonly outcome: GenerationOutcome
  readonly usage: Usage
  /** Null when unknown. */
  readonly responseMs: number | null
  /** For an answer on the web with a visible character. */
  readonly firstTokenMs?: number | undefined
  /** When the event was written. */
  readonly at: Date
  /** The answer's id as the program received it. */
  readonly answerId?: string | undefined
}

/** A generation's data for receipts and usage, in addition to the ledger. */
export interface Generation extends Asked {
  readonly generationId: string
  readonly userId: string
  /** The time of the hold or, without one, of the end. */
  readonly at: Date
  /** Null while it is running. */
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
  /** The acting admin, if any. */
  readonly actorId: string | null
}

/** An account after an act, with the resulting rows of the ledger. */
export interface Books {
  readonly account: Account
  readonly entries: readonly Entry[]
}

/** A plan's credits per month and requests per window. */
export interface PlanTerms {
  readonly monthlyCredits: number
  readonly requestsPerWindow: number
  readonly windowMs: number
}

/** The terms of all plans, by id. */
export type Plans = ReadonlyMap<string, PlanTerms>

/** The input of a decision: an account, the hold of the act's generation, the plans, and the time. */
export interface Found {
  readonly account: Account
  readonly hold: Hold | undefined
  readonly plans: Plans
  readonly now: Date
}

/** The result of a decision: its outcome, the account and the hold afterwards, and events. */
export interface Decision<Outcome> extends Books {
  readonly outcome: Outcome
  /** Created or changed by the act. */
  readonly hold?: Hold
  /** New facts about its generation. */
  readonly generation?: Generation | undefined
  readonly events: readonly Event[]
}

/** The spendable credits. */
export const balanceOf = ({ monthly, granted }: Account): number => monthly + granted

/** Called with the users whose spendable credits or plan a committed transaction has changed. */
export type OnCreditsChanged = (userIds: readonly string[]) => void

/** Whether an act changed what its user sees: the spendable credits or the plan. */
export const changesCredits = (before: Account | undefined, after: Account): boolean =>
  before === undefined || balanceOf(before) !== balanceOf(after) || before.planId !== after.planId

/** Changes an account and appends a row, whose delta is the change of the balance. */
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

/** The account in the current month, which starts when the last one is over: its remaining credits lapse, grants stay. */
export function inPresentMonth({ account, plans, now }: Omit<Found, 'hold'>): Books {
  const books = { account, entries: [] }
  return account.periodEnd > now
    ? books
    : startMonth(books, plans, { planId: account.planId, anchor: account.anchor, now })
}

/** @throws RangeError for an unknown plan */
export function termsOf(plans: Plans, planId: string): PlanTerms {
  const terms = plans.get(planId)
  if (terms === undefined) throw new RangeError(`No plan ${planId}`)
  return terms
}

/** Starts a full month of a plan. @throws RangeError for an unknown plan */
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
