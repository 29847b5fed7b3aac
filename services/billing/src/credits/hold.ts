import {
  type Account,
  type Asked,
  type Books,
  balanceOf,
  type Decision,
  type End,
  type Found,
  type Generation,
  type Hold,
  inPresentMonth,
  record,
  termsOf,
} from './account.ts'
import { type Warning, warnOfUsage } from './warning.ts'
import { countRequest, type FullWindow } from './window.ts'

/** A request to set credits aside for a generation. `amount` is in whole credits. */
export interface HoldRequest {
  readonly generationId: string
  readonly userId: string
  readonly amount: number
  /** Nothing is taken; usage is still recorded. */
  readonly unlimited: boolean
  /** Undefined for callers that do not provide it. */
  readonly asked?: Asked | undefined
}

/** `insufficient`: not enough credits. `limited`: the plan's window is full, see `window`. `conflict`: another user's or an ended generation, or an erased user. `locked`: not decided, because another act has locked the account. */
export interface HoldResult {
  readonly outcome: 'held' | 'insufficient' | 'limited' | 'conflict' | 'locked'
  readonly remaining: number
  readonly window?: FullWindow
}

/** The final cost of a generation, and its user's remaining credits. */
export interface Settlement {
  readonly charged: number
  readonly remaining: number
}

/** Sets credits aside, the month's first, and counts a request; idempotent for the same generation and user. */
export function decideHold(found: Found, request: HoldRequest, lifetimeMs: number): Decision<HoldResult> {
  const books = inPresentMonth(found)
  const { account } = books
  const unchanged = (outcome: HoldResult['outcome']) => ({
    ...books,
    outcome: { outcome, remaining: balanceOf(account) },
    events: [],
  })
  const { generationId, userId, amount, unlimited, asked } = request
  if (found.hold !== undefined) {
    return unchanged(found.hold.userId === account.userId && found.hold.state === 'held' ? 'held' : 'conflict')
  }
  const taken = unlimited ? 0 : amount
  if (balanceOf(account) < taken) return unchanged('insufficient')
  const { counted, full } = countRequest(account, termsOf(found.plans, account.planId), found.now)
  if (full !== undefined && !unlimited) {
    const refused = unchanged('limited')
    return { ...refused, outcome: { ...refused.outcome, window: full } }
  }
  const left = without(account, taken)
  const hold: Hold = {
    ...{ generationId, userId, amount, unlimited },
    fromMonthly: account.monthly - left.monthly,
    fromGranted: account.granted - left.granted,
    period: account.period,
    state: 'held',
    charged: 0,
    expiresAt: new Date(found.now.getTime() + lifetimeMs),
    settledAt: null,
  }
  const after = record(books, { ...left, ...counted }, { kind: 'hold', amount, generationId })
  const generation = asked && { ...asked, generationId, userId, at: found.now, end: null }
  return { ...after, hold, generation, outcome: { outcome: 'held', remaining: balanceOf(after.account) }, events: [] }
}

/** The end of a generation: `charge` is the amount to capture; 0 releases. */
export interface Ending {
  readonly generationId: string
  readonly charge: number
  readonly warning?: Warning | undefined
  /** Further data about the end. */
  readonly end?: End | undefined
}

/**
 * Captures at most the held amount and returns the rest, or everything. A generation whose hold has expired or never existed is charged from
 * the available credits, as far as they reach. The first settlement wins, whatever is repeated. `foreign`: the hold is another user's.
 */
export function decideSettlement(
  found: Found,
  { generationId, charge, warning, end }: Ending,
): Decision<Settlement | 'foreign'> {
  const present = inPresentMonth(found)
  const hold = found.hold ?? neverHeld(present.account, generationId, charge, found.now)
  if (hold.userId !== found.account.userId)
    return { account: found.account, entries: [], events: [], outcome: 'foreign' }
  const settled = settle(present, hold, charge, found.now)
  const { charged } = settled.hold
  const { account, events } = warnOfUsage(settled.books.account, charged, warning, found.now)
  const outcome = { charged, remaining: balanceOf(account) }
  const generation = end && endedGeneration(hold, end, outcome)
  return { account, entries: settled.books.entries, hold: settled.hold, generation, events, outcome }
}

function endedGeneration({ generationId, userId }: Hold, end: End, { charged, remaining }: Settlement): Generation {
  const { model, source, keyId, at, outcome, usage, responseMs, firstTokenMs, answerId } = end
  const { inputTokens, outputTokens, estimated } = usage
  const counts = { inputTokens, outputTokens, estimated, charged, balanceAfter: remaining }
  const told = { outcome, responseMs, firstTokenMs, answerId }
  return { ...{ generationId, userId, model, source, keyId, at }, end: { ...told, ...counts } }
}

/** Releases a hold that was not renewed. The outcome says whether it was one. */
export function decideExpiry(found: Found): Decision<boolean> {
  const { account, hold, now } = found
  if (hold?.state !== 'held' || hold.expiresAt > now) return { account, entries: [], events: [], outcome: false }
  const { generationId, amount } = hold
  const present = inPresentMonth(found)
  const books = record(present, putBack(present.account, hold, 0), { kind: 'release', amount, generationId })
  return { ...books, hold: { ...hold, state: 'expired' }, events: [], outcome: true }
}

/** Represents a generation that ended without a hold: nothing was taken, and it cannot be held any more. */
const neverHeld = ({ userId, period }: Account, generationId: string, amount: number, now: Date): Hold => ({
  generationId,
  userId,
  amount,
  unlimited: false,
  fromMonthly: 0,
  fromGranted: 0,
  period,
  state: 'expired',
  charged: 0,
  expiresAt: now,
  settledAt: null,
})

function settle(books: Books, hold: Hold, charge: number, now: Date): { books: Books; hold: Hold } {
  const { generationId, unlimited } = hold
  const { account } = books
  const most = Math.min(charge, hold.amount)
  const capture = (amount: number, change: Partial<Account>) => ({
    books: record(books, unlimited ? {} : change, { kind: 'capture', amount, generationId }),
    hold: { ...hold, state: 'captured' as const, charged: unlimited ? 0 : amount, settledAt: now },
  })
  const released = { ...hold, state: 'released' as const, settledAt: now }
  switch (hold.state) {
    case 'captured':
    case 'released':
      return { books, hold }
    case 'held': {
      const change = putBack(account, hold, most)
      if (most > 0) return capture(most, change)
      return { books: record(books, change, { kind: 'release', amount: hold.amount, generationId }), hold: released }
    }
    case 'expired': {
      const amount = unlimited ? most : Math.min(most, balanceOf(account))
      if (amount === 0) return { books, hold: released }
      return capture(amount, { ...without(account, amount), used: account.used + amount })
    }
    default:
      return hold.state satisfies never
  }
}

/** Takes credits, the month's first. The caller has checked that they are available. */
function without(account: Account, amount: number): Pick<Account, 'monthly' | 'granted'> {
  const fromMonth = Math.min(account.monthly, amount)
  return { monthly: account.monthly - fromMonth, granted: account.granted - (amount - fromMonth) }
}

/** Returns the part of a hold beyond the charge. The part from a past month lapses. */
function putBack(account: Account, hold: Hold, charge: number): Pick<Account, 'monthly' | 'granted' | 'used'> {
  const chargedMonthly = Math.min(hold.fromMonthly, charge)
  const samePeriod = hold.period === account.period
  return {
    monthly: account.monthly + (samePeriod ? hold.fromMonthly - chargedMonthly : 0),
    granted: account.granted + hold.fromGranted - (charge - chargedMonthly),
    used: account.used + (samePeriod ? charge : 0),
  }
}
