import type { EventOf, EventType } from '@parley/contracts'

/** A group's handler of events. Called one at a time per key, in order of publication. */
export interface Subscription {
  /** Consumer group: each group sees every event once, shared among its replicas. By convention `<service>.<purpose>`. */
  readonly group: string
  /** One handler per event type; events of other types are passed over. */
  readonly handlers: EventHandlers
  /** Handlers at once, each of another key; 4 unless told. More for those whose store takes what comes in together in one transaction. */
  readonly keysAtOnce?: number
}

/**
 * Must be idempotent: an event may come again after a crash or a rebalance, so a handler records the event's id in the same
 * transaction as its effect. Throwing means try again, with back-off, five times in all, and for two minutes more
 * while what is thrown is an AppError `unavailable`; then the event is dead-lettered.
 */
export type EventHandlers = { readonly [T in EventType]?: (event: EventOf<T>) => Promise<void> }
