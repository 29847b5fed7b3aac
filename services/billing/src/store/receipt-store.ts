import type { Settled } from '../receipts/receipt.ts'
import type { Span } from '../usage/period.ts'

/** Where a page begins: behind the generation with this time and id. */
export interface ReceiptPlace {
  readonly at: Date
  readonly generationId: string
}

/** A page of receipts. */
export interface ReceiptPage extends Span {
  readonly limit: number
  readonly after: ReceiptPlace | undefined
}

/** What generations cost, from the ledger. Those that still run are not there. */
export interface ReceiptStore {
  /** Of a user, newest first. */
  list(userId: string, page: ReceiptPage): Promise<readonly Settled[]>
  /** Undefined when it is not this user's. @param id of the generation, or of the answer that a program was given; the newest, where a provider repeats itself */
  find(userId: string, id: string): Promise<Settled | undefined>
}
