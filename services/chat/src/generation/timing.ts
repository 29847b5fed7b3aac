/** Times of the life of an answer, all in milliseconds: the product's own. */
export const defaultTiming = {
  /** An answer whose owner has been silent for this long is ended by another replica. */
  leaseMs: 12_000,
  /** The text is saved and the lease extended this often. */
  checkpointMs: 2_000,
  /** Replaces `checkpointMs` for `earlyMs` after the first visible text. Together with the time that a save takes, at most half a second is lost. */
  earlyCheckpointMs: 400,
  earlyMs: 2_000,
  /** Abandoned answers are looked for this often. */
  sweepMs: 2_000,
  /** Chats and files that were removed go for good, and messages are put where searches find them fast, this often. */
  reconcileMs: 2_000,
  /** How often expired entries, such as keys and allowances, are removed. */
  tidyMs: 60_000,
  /** Pieces of text are collected for at most this long. */
  coalesceMs: 25,
  /** Until the provider's first frame, over all attempts. */
  firstFrameMs: 40_000,
  /** llm-router gives a sign of life more often than this. */
  silenceMs: 75_000,
  /** A whole answer. */
  totalMs: 600_000,
  /** One call of a tool. */
  toolMs: 20_000,
  /** A prompt waits this long for memories. */
  memoryMs: 150,
  /** How long a stop waits for an answer that is not known yet. */
  unseenStopMs: 1_000,
  /** A guest's answer that nobody has read for this long is ended. */
  guestAbsenceMs: 30_000,
  /** For billing's answer to a hold or a settlement: longer than either takes while hundreds of answers begin and end on a busy machine. */
  billingMs: 4_000,
  /** A hold is kept alive this often. */
  holdRenewMs: 15_000,
  /** How often a reader reads the store for what the log does not have. */
  pollMs: 100,
  /** A call that waits for a hint looks by itself this often. */
  lookMs: 1_000,
  /** A removed chat can be restored for this long. */
  restoreMs: 30_000,
  /** How long after a file was attached its chats are checked for existence. */
  confirmMs: 3_600_000,
  /** Messages older than this are moved into the search index. */
  searchAfterMs: 600_000,
  /** How long running answers may continue after the service was told to stop. */
  drainMs: 5_000,
}
export type ChatTiming = Readonly<typeof defaultTiming>
