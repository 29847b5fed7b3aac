import { Gauge, type Registry } from 'prom-client'
import { every, type Periodic } from '../async/every.ts'
import { reasonOf } from '../errors/reason-of.ts'
import type { DeadLetterStore } from '../service/engine.ts'
import type { Logger } from './log.ts'

/** Milliseconds between two looks at how far consumers are behind, which cost more than a probe may. */
const lookEveryMs = 60_000
/** Milliseconds until the first look: topics that were just created have no leader yet. */
const firstLookMs = 10_000

export interface LagWatchDeps {
  readonly bus: Pick<DeadLetterStore, 'countDeadLetters'> & {
    health(): Promise<unknown>
    lag(groups: readonly string[]): Promise<Readonly<Record<string, number>>>
  }
  readonly metrics: Registry
  readonly log: Logger
}

/** How far a service's consumers are behind and what they gave up, as `event_bus_lag` and `event_bus_dead_letters`; the former also beside the readiness of its bus. */
export function createLagWatch({ bus, metrics, log }: LagWatchDeps) {
  const gauge = new Gauge({
    name: 'event_bus_lag',
    help: 'Events that a group has not handled yet',
    labelNames: ['group'],
    registers: [metrics],
  })
  const letters = new Gauge({
    name: 'event_bus_dead_letters',
    help: 'Events that a group gave up and nobody has replayed or dropped',
    labelNames: ['group'],
    registers: [metrics],
  })
  let lag: Readonly<Record<string, number>> | undefined
  let looking: Periodic | undefined
  const look = async (groups: readonly string[]): Promise<void> => {
    try {
      lag = await bus.lag(groups)
      for (const [group, events] of Object.entries(lag)) gauge.set({ group }, events)
      const given = new Map((await bus.countDeadLetters(groups)).map(({ group, count }) => [group, count]))
      for (const group of groups) letters.set({ group }, given.get(group) ?? 0)
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the lag of events could not be read')
    }
  }
  return {
    /** Whether the bus is there, with what was last known of the lag. */
    async health() {
      await bus.health()
      return { lag }
    },
    /** Looks soon and then every minute at these groups. */
    start(groups: readonly string[]): void {
      void looking?.stop()
      looking = every(lookEveryMs, () => look(groups), { name: 'look at the lag of events', firstMs: firstLookMs, log })
      looking.start()
    },
    /** Idempotent. */
    stop: () => void looking?.stop(),
  }
}
