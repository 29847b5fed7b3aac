/** What an owner keeps. */
export interface Usage {
  /** Those that are shown. */
  readonly chats: number
  /** Of texts and reasoning of messages that are finished, in UTF-8, and of files as they are stored. Removed ones count until they are purged. */
  readonly bytes: number
}

/**
 * Running totals of what owners keep, changed with what they count, so that no request has to count anything. A guest keeps nothing that counts.
 * Where an engine cannot change both at once, a total may be wrong after a crash until it is counted anew.
 */
export interface UsageStore {
  /** Nothing, for an owner that is not known. */
  of(ownerId: string): Promise<Usage>
  /** Counts anew the totals that are due by `now`, at most 20: of what was there before there were totals, and where one may be wrong. Resolves to how many. */
  recount(now: Date): Promise<number>
}
