import type { Event, EventOf } from '@parley/contracts'
import { newId } from '@parley/kit'
import { expect } from 'vitest'
import type { EventBus, EventHandlers } from '../event-bus.ts'
import { eventOf } from '../event-of.ts'

/** Waits for conditions: long enough for an engine that has to notice a dead process. */
export const eventually = { timeout: 120_000, interval: 10 }

/** An event whose user id is the label it is recognised by. */
export const banned = (label: string, key = 'key'): EventOf<'auth.user-banned'> =>
  eventOf('auth.user-banned', key, { userId: label }, { id: newId(), at: new Date() })

/** The labels of events made by `banned`. */
export const labelsOf = (events: readonly { data: { userId: string } }[]): string[] =>
  events.map(({ data }) => data.userId)

/** Records the events it was given; `act` runs before an event counts as handled. */
export function recorder(act: (event: EventOf<'auth.user-banned'>) => Promise<void> = async () => undefined) {
  const handled: EventOf<'auth.user-banned'>[] = []
  const handlers: EventHandlers = {
    'auth.user-banned': async (event) => {
      await act(event)
      handled.push(event)
    },
  }
  return {
    handlers,
    labels: () => labelsOf(handled),
    /** Waits until this many events were handled, whichever they are. */
    reaches: (count: number) => expect.poll(() => handled.length, eventually).toBe(count),
  }
}

/** Waits until the group has handled everything. */
export const caughtUp = (bus: EventBus, group: string) =>
  expect.poll(async () => (await bus.lag([group]))[group], eventually).toBe(0)

/** A gate that handlers wait at. */
export function createGate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

/** Publishes in batches of changing size. */
export async function publishInBatches(bus: EventBus, events: readonly Event[]): Promise<void> {
  for (let start = 0, size = 1; start < events.length; start += size, size = (size * 7) % 61) {
    await bus.publish(events.slice(start, start + size))
  }
}
