import type { Settled } from '../receipts/receipt.ts'
import type { Span } from '../usage/period.ts'

/** The cursor of a page: the time and id of the preceding generation. */
export interface ReceiptPlace {
  readonly at: Date
  readonly generationId: string
}

/** A page of receipts. */
export interface ReceiptPage extends Span {
  readonly limit: number
  readonly after: ReceiptPlace | undefined
}

/** The costs of generations, from the ledger, without running ones. */
export interface ReceiptStore {
  /** A user's receipts, newest first. */
  list(userId: string, page: ReceiptPage): Promise<readonly Settled[]>
  /** Undefined when it is not this user's. @param id of the generation, or the answer's id that the program received; the newest one if a provider repeats ids */
  find(userId: string, id: string): Promise<Settled | undefined>
  /** Whether a recent generation of this user is running, or the news of its end is still on the way. */
  isAwaiting(userId: string): Promise<boolean>
}
