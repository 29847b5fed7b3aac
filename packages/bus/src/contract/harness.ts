import type { EventBus } from '../event-bus.ts'

/** An engine with an empty log, created for each test. */
export interface BusHarness {
  /** Another replica on the same log. Its handlers are tried again without long pauses, five tries in all. */
  openReplica(): Promise<EventBus>
  /** A replica whose way to the engine can be interrupted. */
  openSevered(): Promise<{ readonly bus: EventBus; sever(): void; restore(): void }>
  /** A process that consumes `auth.user-banned` for the group and never finishes its first handler. */
  startHangingConsumer(group: string): Promise<{
    /** Resolves to the id of the event its handler hangs on. */
    readonly handling: Promise<string>
    /** As `kill -9`. */
    kill(): void
  }>
  /** Stores what no `publish` would let through, as a producer of another version might. */
  appendUnchecked(topic: string, event: unknown): Promise<void>
  close(): Promise<void>
}
