/** Erases users permanently. */
export interface ErasureStore {
  /** Anonymises a user on the models they changed, including changes still in progress. */
  erase(userId: string): Promise<void>
}
