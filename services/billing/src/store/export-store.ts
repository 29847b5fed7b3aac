/** A user's balance, without references to other users. */
export interface KeptAccount {
  readonly plan: { readonly id: string; readonly name: string }
  readonly remaining: { readonly monthly: number; readonly granted: number }
  readonly usedThisMonth: number
  readonly monthStartedAt: Date
  readonly monthEndsAt: Date
}
/** A row of the ledger. `delta` is its effect on the balance. */
export interface KeptEntry {
  readonly id: number
  readonly at: Date
  readonly kind: 'month' | 'lapse' | 'grant' | 'hold' | 'capture' | 'release'
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly generationId: string | null
  readonly byAdmin: boolean
}

/** Everything stored about a user, for a data export. Reading changes nothing: it creates no account and starts no month. */
export interface ExportStore {
  /** Undefined for a user without an account. */
  account(userId: string): Promise<KeptAccount | undefined>
  /** Rows of the user's ledger, oldest first. @param after `id` of the last row of the previous page; 0 for the first */
  ledger(userId: string, after: number, limit: number): Promise<readonly KeptEntry[]>
}
