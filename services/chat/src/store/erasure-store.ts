/** Removing owners for good. */
export interface ErasureStore {
  /**
   * Removes all that is kept of an owner: chats, also removed ones, messages and answers, what is searched, keys of sends, files and the watchlist.
   * In steps, so that none takes long; after a failure it is called again. From its first moment on `isErased` tells.
   */
  erase(ownerId: string): Promise<void>
  /** Whether this owner was erased, or is being so. */
  isErased(ownerId: string): Promise<boolean>
}
