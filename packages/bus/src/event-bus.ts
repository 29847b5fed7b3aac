import type { Event } from '@parley/contracts'
import type { DeadLetterStore, Subscription } from '@parley/kit'

export type { EventHandlers, OutboxSource, Subscription } from '@parley/kit'

/** An event that a group could not handle. */
export interface DeadLetter {
  readonly group: string
  readonly event: Event | { readonly id: string; readonly type: string }
  /** The last failure, without secrets. */
  readonly error: string
  readonly at: Date
}

/**
 * Facts between services.
 * Durable: an event whose `publish` resolved survives the loss of every process. At least once: a group that was not subscribed gets the events it missed.
 * In order per key within a topic; no order between keys or topics. A handler that fails for good holds up other events only while it is retried.
 */
export interface EventBus extends DeadLetterStore {
  /**
   * Appends events in the given order, as they were written: a later version may have been rolled back, and its events still go to those who know them.
   * @throws when an event has no envelope or is over 64 KB (nothing is appended), or when the engine is unavailable
   */
  publish(events: readonly Event[]): Promise<void>
  /**
   * Starts consuming where the group left off; a new group starts at the oldest kept event, and events are kept for seven days.
   * An event that does not fit the schema of its type is dead-lettered at once.
   * @returns the function that ends it: running handlers finish, and the rest is left to other replicas or to the next start
   */
  subscribe(subscription: Subscription): Promise<() => Promise<void>>
  /** Newest first, at most 200. */
  deadLetters(group: string): Promise<readonly DeadLetter[]>
  /**
   * Removes stored events and dead letters that name any of these ids, such as that of an erased user, where the engine can remove
   * single ones; elsewhere events expire after seven days. Events that a group has not handled yet stay. It is costly: do not call it often.
   * @param ids whole values that no user can choose
   * @returns whether none is left that the engine could remove
   */
  forget(ids: readonly string[]): Promise<boolean>
  /** Rejects when the engine cannot be reached. */
  health(): Promise<void>
  /**
   * Events that these groups have not handled yet, by group; one that never consumed is left out. It costs several questions: for figures, not for probes.
   * @throws when the engine cannot be reached
   */
  lag(groups: readonly string[]): Promise<Readonly<Record<string, number>>>
  /** Finishes the handlers that run, then stops. Idempotent. */
  close(): Promise<void>
}
