import { type Event, eventFaults, eventSchema } from '@parley/contracts'
import { pause } from '@parley/kit'
import type { EventHandlers } from './event-bus.ts'

/** Pauses before the second to the fifth try: 15 s in all. */
export const defaultRetryDelaysMs: readonly number[] = [200, 1_000, 4_000, 10_000]

/** What came of handing an event to its handler: it is done with, it failed for good, or we were told to stop before either. */
export type Delivery =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'stopped' }

const done: Delivery = { kind: 'done' }

/** Hands a stored event to its handler, with as many tries as there are pauses and one. Types without a handler are passed over. */
export async function deliver(
  stored: unknown,
  handlers: EventHandlers,
  retryDelaysMs: readonly number[],
  stopping: AbortSignal,
): Promise<Delivery> {
  const { type } = (stored ?? {}) as { type?: unknown }
  const handler =
    typeof type === 'string' && Object.hasOwn(handlers, type) ? handlers[type as Event['type']] : undefined
  if (handler === undefined) return done
  const parsed = eventSchema.safeParse(stored)
  // Another try would find the same event.
  if (!parsed.success) return { kind: 'failed', error: `Does not fit its schema: ${eventFaults(parsed.error)}` }
  const handle = handler as (event: Event) => Promise<void>
  for (const delayMs of [...retryDelaysMs, undefined]) {
    if (stopping.aborted) return { kind: 'stopped' }
    try {
      await handle(parsed.data)
      return done
    } catch (error) {
      if (delayMs === undefined) return { kind: 'failed', error: describe(error) }
      await pause(delayMs, stopping)
    }
  }
  return { kind: 'stopped' }
}

const describe = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)
