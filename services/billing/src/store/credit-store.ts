import type { End } from '../credits/account.ts'
import type { HoldRequest, HoldResult, Settlement } from '../credits/hold.ts'

/** The end of a generation, from its event. */
export interface FinishedGeneration {
  readonly generationId: string
  readonly userId: string
  /** Credits to capture; 0 releases. */
  readonly charge: number
  /** Undefined when receipts and usage must not show it. */
  readonly end?: End | undefined
}

/** Counts of open holds. */
export interface OpenHolds {
  readonly open: number
  /** The subset that was not released within a minute after the end of its lifetime. */
  readonly overdue: number
}

/**
 * Credits set aside for generations, each captured or released once.
 * Every act is atomic and acts on one account are serialised, so two callers never spend the same credit and no balance falls
 * below 0. Every act appends to the ledger, where the sum of the deltas equals the balance at each row. The first settlement of a
 * generation wins, whatever is repeated or reordered. Time is the database's.
 */
export interface CreditStore {
  /**
   * Sets credits aside until the lifetime ends; idempotent for the same generation and user.
   * @param leavesLocked resolves to `locked` instead of waiting for an account that is locked elsewhere
   */
  hold(request: HoldRequest, leavesLocked?: boolean): Promise<HoldResult>
  /** Restarts the lifetime of a running hold; false for an unknown generation. An ended hold stays ended. */
  renewHold(generationId: string): Promise<boolean>
  /**
   * Captures at most the held amount and returns the rest; the part from a past month lapses. An expired hold is charged from
   * the available credits, as far as they reach. Undefined for an unknown generation.
   * @param warnAt threshold as a percentage of the month's initial credits: a charge that reaches it publishes an event, once a month
   * @param end when no event reports it
   */
  settle(generationId: string, amount: number, warnAt?: number, end?: End): Promise<Settlement | undefined>
  /**
   * Like `settle`, once per event id, with the data for receipts and usage. A generation without a hold is charged from the available
   * credits, and cannot be held afterwards. An erased user is not charged.
   * @throws when the hold is another user's, without a change
   */
  settleFinished(eventId: string, finished: FinishedGeneration, warnAt?: number): Promise<void>
  /** Releases expired holds, at most `limit`; accounts in use are left for the next call. Resolves to their number. */
  releaseExpired(limit: number): Promise<number>
  /** Holds that are neither settled nor released. */
  countOpen(): Promise<OpenHolds>
  /**
   * Deletes holds that ended this many days ago, the oldest first, at most `limit`. The ledger keeps their cost. Resolves to their number.
   * A later settlement finds no hold, so the time must exceed that of any redelivery.
   */
  forgetOver(days: number, limit: number): Promise<number>
}
