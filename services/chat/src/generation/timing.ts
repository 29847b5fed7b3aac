/** Times of the life of an answer, all in milliseconds. */
export interface ChatTiming {
  /** An answer whose owner has been silent for this long is ended by another replica. */
  readonly leaseMs: number
  /** The text is saved and the lease extended this often. */
  readonly checkpointMs: number
  /** Replaces `checkpointMs` for `earlyMs` after the first visible text. Together with the time that a save takes, at most half a second is lost. */
  readonly earlyCheckpointMs: number
  readonly earlyMs: number
  /** Abandoned answers are looked for this often. */
  readonly sweepMs: number
  /** Chats and files that were removed go for good, and messages are put where searches find them fast, this often. */
  readonly reconcileMs: number
  /** How often expired entries, such as keys and allowances, are removed. */
  readonly tidyMs: number
  /** Pieces of text are collected for at most this long. */
  readonly coalesceMs: number
  /** Until the provider's first frame, over all attempts. */
  readonly firstFrameMs: number
  /** llm-router gives a sign of life more often than this. */
  readonly silenceMs: number
  /** A whole answer. */
  readonly totalMs: number
  /** One call of a tool. */
  readonly toolMs: number
  /** A prompt waits this long for memories. */
  readonly memoryMs: number
  /** How long a stop waits for an answer that is not known yet. */
  readonly unseenStopMs: number
  /** A guest's answer that nobody has read for this long is ended. */
  readonly guestAbsenceMs: number
  /** For billing's answer to a hold or a settlement. */
  readonly billingMs: number
  /** A hold is kept alive this often. */
  readonly holdRenewMs: number
  /** How often a reader reads the store for what the log does not have. */
  readonly pollMs: number
  /** A call that waits for a hint looks by itself this often. */
  readonly lookMs: number
  /** A removed chat can be restored for this long. */
  readonly restoreMs: number
  /** How long after a file was attached its chats are checked for existence. */
  readonly confirmMs: number
  /** Messages older than this are moved into the search index. */
  readonly searchAfterMs: number
  /** How long running answers may continue after the service was told to stop. */
  readonly drainMs: number
}

/** The product's own times. */
export const defaultTiming: ChatTiming = {
  leaseMs: 12_000,
  checkpointMs: 2_000,
  earlyCheckpointMs: 400,
  earlyMs: 2_000,
  sweepMs: 2_000,
  reconcileMs: 2_000,
  tidyMs: 60_000,
  coalesceMs: 25,
  firstFrameMs: 40_000,
  silenceMs: 75_000,
  totalMs: 600_000,
  toolMs: 20_000,
  memoryMs: 150,
  unseenStopMs: 1_000,
  guestAbsenceMs: 30_000,
  billingMs: 2_000,
  holdRenewMs: 15_000,
  pollMs: 100,
  lookMs: 1_000,
  restoreMs: 30_000,
  confirmMs: 3_600_000,
  searchAfterMs: 600_000,
  drainMs: 5_000,
}
