/** The totals of what an owner stores. */
export interface Usage {
  /** Chats that are not removed. */
  readonly chats: number
  /** Of texts and reasoning of finished messages, in UTF-8, and of files as they are stored. Removed ones count until they are purged. */
  readonly bytes: number
}

/** The most totals that are counted again at once. */
export const recountedAtOnce = 20

/**
 * Running totals of what owners store, changed together with the data, so that no request has to count anything. Guests store nothing that counts.
 * On an engine that cannot change both at once, a total may be wrong after a crash until it is counted again.
 */
export interface UsageStore {
  /** Nothing, for an owner that is not known. */
  of(ownerId: string): Promise<Usage>
  /** Counts totals that are due by `now`, at most `recountedAtOnce`: of data older than the totals, and where a total may be wrong. Resolves to the number. */
  recount(now: Date): Promise<number>
}
