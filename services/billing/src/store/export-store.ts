/** What billing keeps of a user's balance, without who else had a part in it. */
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

/** All that is kept of a user, to be handed to them. Reading it changes nothing: no account is made, no month begun. */
export interface ExportStore {
  /** Undefined when the user has no account. */
  account(userId: string): Promise<KeptAccount | undefined>
  /** Rows of the user's ledger, oldest first. @param after `id` of the last one before; 0 for the first */
  ledger(userId: string, after: number, limit: number): Promise<readonly KeptEntry[]>
}
