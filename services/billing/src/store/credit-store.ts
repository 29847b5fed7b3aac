import type { End } from '../credits/account.ts'
import type { HoldRequest, HoldResult, Settlement } from '../credits/hold.ts'

/** How a generation ended, as its event tells. */
export interface FinishedGeneration {
  readonly generationId: string
  readonly userId: string
  /** Credits to capture; 0 releases. */
  readonly charge: number
  /** Undefined: receipts and usage do not know of it. */
  readonly end?: End | undefined
}

/** How many holds are open. */
export interface OpenHolds {
  readonly open: number
  /** Of these, such as nobody gave back within a minute after their lifetime. */
  readonly overdue: number
}

/**
 * Credits set aside for generations, taken or given back once each.
 * Every act is atomic and acts on one account follow one another, so two callers never spend the same credit and no balance falls
 * below 0. Every act appends to the ledger, where the sum of the deltas is the balance at each row. The first settlement of a
 * generation stands, whatever comes again or in another order. Time is the database's.
 */
export interface CreditStore {
  /**
   * Sets credits aside until the lifetime ends; asked again for the same generation and user it answers the same and takes nothing.
   * @param leavesLocked does not wait for an account that is locked elsewhere: `locked`, and nothing is taken
   */
  hold(request: HoldRequest, leavesLocked?: boolean): Promise<HoldResult>
  /** Starts the lifetime of a running hold anew; false when there is no such generation. One that is over stays over. */
  renewHold(generationId: string): Promise<boolean>
  /**
   * Captures at most what was held and gives the rest back; the part that came from a month which is over lapses.
   * An expired hold is charged from what is there, as far as it reaches. Undefined when there is no such generation.
   * @param warnAt percent of what the month began with: a charge that finds this much used is told of by an event, once a month
   * @param end where no event tells of it
   */
  settle(generationId: string, amount: number, warnAt?: number, end?: End): Promise<Settlement | undefined>
  /**
   * As `settle`, once per event id, with what receipts and usage are made of. A generation without any hold is charged from what is there, and cannot be held afterwards.
   * Of a user who was erased nothing is charged.
   * @throws when the hold is another user's; nothing is changed then
   */
  settleFinished(eventId: string, finished: FinishedGeneration, warnAt?: number): Promise<void>
  /** Gives back holds whose lifetime ended, at most `limit`; accounts in use are left for the next call. Resolves to how many. */
  releaseExpired(limit: number): Promise<number>
  /** Holds that are neither settled nor given back. */
  countOpen(): Promise<OpenHolds>
  /**
   * Forgets holds that were over so many days ago, the oldest first, at most `limit`. The ledger keeps what they cost. Resolves to how many.
   * A settlement that comes after that finds no hold: it must be longer than anything is sent again.
   */
  forgetOver(days: number, limit: number): Promise<number>
}
