/** Erases users permanently. */
export interface ErasureStore {
  /**
   * Removes a user's account, holds and ledger in one act, and anonymises their acts as an admin, including those in progress
   * and later ones. Nothing later creates an account for them. Idempotent.
   */
  erase(userId: string): Promise<void>
}
