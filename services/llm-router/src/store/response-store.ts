import type { ResponseItem } from '@parley/contracts'

/** A response in OpenAI's format, as presented. */
export interface ResponseBody {
  readonly id: string
  readonly output: readonly ResponseItem[]
  readonly [field: string]: unknown
}

/** A response that its caller may continue. */
export interface StoredResponse {
  /** The response that it continues. */
  readonly previousId: string | undefined
  /** The items of its own request, as sent. */
  readonly input: readonly ResponseItem[]
  readonly response: ResponseBody
}

/** Stored responses. Each is only visible to its owner. */
export interface ResponseStore {
  /** Stores nothing of an erased user. A large one displaces the oldest of its owner beyond 256 MB. */
  add(userId: string, stored: StoredResponse): Promise<void>
  find(userId: string, id: string): Promise<StoredResponse | undefined>
  /** The response and those that it continues, oldest first; undefined if one of them is missing, or all exceed 32 MB. */
  conversation(userId: string, id: string): Promise<readonly StoredResponse[] | undefined>
  /** The items of the stored responses whose output contains one of these, by id; of the newest of them, up to 32 MB. */
  items(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ResponseItem>>
  /** The stored responses of a user, one after the other. */
  all(userId: string): AsyncIterable<StoredResponse>
  /** Resolves to whether it was there. */
  remove(userId: string, id: string): Promise<boolean>
  /** Deletes those that are older than this many days, and the oldest of each owner beyond 256 MB. */
  sweep(days: number): Promise<void>
}
