/** Removing users for good. */
export interface ErasureStore {
  /**
   * Removes a user's account, holds and ledger in one act, and takes their name off what they did as an admin, also off acts that are
   * under way or come later. Nothing that comes later makes an account for them. Again it does nothing.
   */
  erase(userId: string): Promise<void>
}
