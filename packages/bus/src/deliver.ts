import { type Event, eventFaults, eventSchema } from '@parley/contracts'
import { isUnavailable, pause } from '@parley/kit'
import type { EventHandlers } from './event-bus.ts'

/** Pauses before the second to the fifth try: 15 s in all. */
export const defaultRetryDelaysMs: readonly number[] = [200, 1_000, 4_000, 10_000]

/** Further tries, each after the longest pause, while what a handler needs is unavailable, which is no fault of the event: two minutes of them. */
const triesInOutage = 12

/** The result of handling an event: done, failed for good, or interrupted by a stop before either. */
export type Delivery =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'stopped' }

const done: Delivery = { kind: 'done' }

/** Whether a stored event has a handler. */
export const isHandled = (stored: unknown, handlers: EventHandlers): boolean =>
  handlerOf(stored, handlers) !== undefined

/**
 * Hands a stored event to its handler, with as many tries as there are pauses and one, and more in an outage; when `stopping` aborts, the
 * try that runs is the last. Types without a handler are passed over.
 */
export async function deliver(
  stored: unknown,
  handlers: EventHandlers,
  retryDelaysMs: readonly number[],
  stopping: AbortSignal,
): Promise<Delivery> {
  const handler = handlerOf(stored, handlers)
  if (handler === undefined) return done
  const parsed = eventSchema.safeParse(stored)
  // Another try would find the same event.
  if (!parsed.success) return { kind: 'failed', error: `Does not fit its schema: ${eventFaults(parsed.error)}` }
  const last = retryDelaysMs.at(-1)
  for (let tries = 0; ; tries += 1) {
    try {
      await handler(parsed.data)
      return done
    } catch (error) {
      const mayWait = isUnavailable(error) && tries < retryDelaysMs.length + triesInOutage
      const delayMs = retryDelaysMs[tries] ?? (mayWait ? last : undefined)
      if (delayMs === undefined) return { kind: 'failed', error: describe(error) }
      await pause(delayMs, stopping)
      if (stopping.aborted) break
    }
  }
  return { kind: 'stopped' }
}

function handlerOf(stored: unknown, handlers: EventHandlers): ((event: Event) => Promise<void>) | undefined {
  const { type } = (stored ?? {}) as { type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return undefined
  return handlers[type as Event['type']] as (event: Event) => Promise<void>
}

/** Without NUL, which PostgreSQL does not store: parsers quote what they were given. */
const describe = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replaceAll('\0', '').slice(0, 500)
