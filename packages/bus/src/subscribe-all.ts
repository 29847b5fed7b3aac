import type { EventBus, Subscription } from './event-bus.ts'

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
    for (const subscription of subscriptions) ends.push(await bus.subscribe(subscription))
  } catch (error) {
    await endAll()
    throw error
  }
  return endAll
}
