/** Removing owners for good. */
export interface ErasureStore {
  /**
   * Removes everything stored for an owner: chats, removed ones included, messages and answers, search segments, keys of sends, files and the watchlist.
   * Runs in short steps and may be repeated after a failure. `isErased` is true from its first moment on.
   */
  erase(ownerId: string): Promise<void>
  /** Whether this owner was erased, or is being erased. */
  isErased(ownerId: string): Promise<boolean>
}
