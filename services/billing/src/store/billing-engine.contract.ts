import type { Event } from '@parley/contracts'
import type { BillingStores } from './index.ts'

/** One row of the ledger, as the suites judge it. */
export interface LedgerRow {
  readonly kind: string
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly generationId: string | null
  readonly actorId: string | null
}

/** What the contract suites need of an engine besides the stores: looking inside, and making time pass. */
export interface BillingEngine {
  readonly stores: BillingStores
  /** Other stores over the same data, as another replica has them. */
  readonly replica: BillingStores
  ledger(userId: string): Promise<readonly LedgerRow[]>
  /** Every broken rule of the ledger, over all accounts; empty when the books are right. */
  faults(): Promise<readonly string[]>
  /** The events of the outbox about a user, oldest first. */
  events(userId: string): Promise<readonly Event[]>
  /** Moves an account so far into the past that its month is over. */
  endMonth(userId: string): Promise<void>
  /** Moves the start of an account's plan to this time and forgets which month it is in. */
  startPlanAt(userId: string, at: Date): Promise<void>
  /** Ends the lifetime of a hold. */
  expireHold(generationId: string): Promise<void>
  /** Milliseconds until a hold's lifetime ends. */
  holdLeft(generationId: string): Promise<number>
  close(): Promise<void>
}
