import { createLagWatch, type Logger, type Registry } from '@parley/kit'
import type { EventBus, OutboxSource, Subscription } from './event-bus.ts'
import { type Relay, startRelay } from './relay.ts'
import { subscribeAll } from './subscribe-all.ts'

export interface BusEndpointDeps {
  readonly bus: EventBus
  /** The events that the service publishes; without it none. */
  readonly outbox?: OutboxSource
  /** Publishes those of the outbox in place of `bus`. */
  readonly publisher?: Pick<EventBus, 'publish'>
  readonly metrics: Registry
  readonly log: Logger
}

/** What a service does on the bus while it runs: it consumes, relays its outbox, and measures how far its consumers are behind. */
export function createBusEndpoint({ bus, outbox, publisher = bus, metrics, log }: BusEndpointDeps) {
  const lag = createLagWatch({ bus, metrics, log })
  let unsubscribe: (() => Promise<void>) | undefined
  let relay: Relay | undefined
  return {
    /** For the readiness of a service: rejects when the bus cannot be reached; resolves to what was last known of the lag. */
    health: lag.health,
    /** @throws what the bus says; then nothing is running, and it may be called again */
    async start(subscriptions: readonly Subscription[]): Promise<void> {
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      relay = outbox && startRelay({ source: outbox, bus: publisher, log })
    },
    /** Finishes the running handlers and the batch being published. Idempotent, and allowed before `start`. */
    async stop(): Promise<void> {
      lag.stop()
      await Promise.all([unsubscribe?.(), relay?.stop()])
    },
  }
}
