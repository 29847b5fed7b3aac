/** The tickers that users follow. Every act is atomic and on disk when it resolves. */
export interface WatchlistStore {
  /** In the order that the user gave them; empty for a user who follows none. */
  read(ownerId: string): Promise<readonly string[]>
  /** The last of several that come at once stands, as a whole. */
  replace(ownerId: string, symbols: readonly string[]): Promise<void>
}
