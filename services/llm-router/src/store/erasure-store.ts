/** Removing users for good. */
export interface ErasureStore {
  /** Takes a user's name off the models that they changed, and off those that an act of theirs still changes later. */
  erase(userId: string): Promise<void>
}
