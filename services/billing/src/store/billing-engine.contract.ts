import type { Event } from '@parley/contracts'
import type { BillingStores } from './index.ts'

/** A row of the ledger as checked by the suites. */
export interface LedgerRow {
  readonly kind: string
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly generationId: string | null
  readonly actorId: string | null
}

/** Engine access for the contract suites besides the stores: inspection, and control of time. */
export interface BillingEngine {
  readonly stores: BillingStores
  /** Other stores on the same data, as in another replica. */
  readonly replica: BillingStores
  ledger(userId: string): Promise<readonly LedgerRow[]>
  /** All violations of the ledger's invariants, in all accounts; empty when the books are correct. */
  faults(): Promise<readonly string[]>
  /** The outbox events about a user, oldest first. */
  events(userId: string): Promise<readonly Event[]>
  /** Moves an account back in time so that its month is over. */
  endMonth(userId: string): Promise<void>
  /** Moves the start of an account's plan to this time and resets its month. */
  startPlanAt(userId: string, at: Date): Promise<void>
  /** Ends the lifetime of a hold. */
  expireHold(generationId: string): Promise<void>
  /** Milliseconds until a hold's lifetime ends. */
  holdLeft(generationId: string): Promise<number>
  close(): Promise<void>
}
