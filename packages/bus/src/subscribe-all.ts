import type { Event } from '@parley/contracts'
import { inSpan } from '@parley/kit'
import type { EventBus, EventHandlers, Subscription } from './event-bus.ts'

/**
 * Starts all of these, or none: when one cannot be started, those before it are ended, so that a start that comes again does not consume twice.
 * @returns how to end them; idempotent
 * @throws what the bus says
 */
export async function subscribeAll(
  bus: Pick<EventBus, 'subscribe'>,
  subscriptions: readonly Subscription[],
): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = []
  const endAll = async (): Promise<void> => {
    await Promise.all(ends.splice(0).map((end) => end()))
  }
  try {
    for (const subscription of subscriptions) ends.push(await bus.subscribe(traced(subscription)))
  } catch (error) {
    await endAll()
    throw error
  }
  return endAll
}

/** Each try of a handler is a span of the trace that the event was made in. */
function traced(subscription: Subscription): Subscription {
  const { group } = subscription
  const service = group.slice(0, group.indexOf('.'))
  const handlers = Object.entries(subscription.handlers).map(([type, handler]) => {
    const handle = handler as (event: Event) => Promise<void>
    const attributes = { 'messaging.consumer.group.name': group }
    return [
      type,
      (event: Event) =>
        inSpan(service, `process ${type}`, { kind: 'consumer', attributes, traceparent: event.trace }, () =>
          handle(event),
        ),
    ]
  })
  return { ...subscription, handlers: Object.fromEntries(handlers) as EventHandlers }
}
