import { type Breaker, breakerStates } from '@parley/contracts'
import type { Registry as Metrics } from '@parley/kit'
import { Gauge } from 'prom-client'
import type { CircuitBreaker } from './completion/circuit-breaker.ts'
import type { Registry } from './registry.ts'

/** This replica's circuit breaker states for the models of the registry. */
export type BreakerStates = ReturnType<typeof watchBreakers>

/** Also reports the state of every model as the metric `provider_circuit_breaker`. */
export function watchBreakers(registry: Registry, breaker: CircuitBreaker, metrics: Metrics) {
  new Gauge({
    name: 'provider_circuit_breaker',
    help: 'State of the circuit breaker of a model: 0 closed, 1 open, 2 half-open',
    labelNames: ['provider', 'model'],
    registers: [metrics],
    async collect() {
      const states = breaker.states()
      this.reset()
      // Without the store, states by model are omitted but all other metrics are reported.
      const models = await registry.models().catch(() => [])
      for (const { provider, id: model } of models) {
        this.set({ provider, model }, breakerStates.indexOf(states.get(model)?.state ?? 'closed'))
      }
    },
  })
  return {
    /** All breakers that are not closed. */
    async list(): Promise<readonly Breaker[]> {
      const states = breaker.states()
      if (states.size === 0) return []
      return (await registry.models()).flatMap(({ provider, id: model }) => {
        const found = states.get(model)
        return found ? [{ provider, model, state: found.state, since: found.since.toISOString() }] : []
      })
    },
    /** Ids of models whose calls fail immediately. */
    unavailable: (): ReadonlySet<string> =>
      new Set([...breaker.states()].filter(([, { state }]) => state === 'open').map(([model]) => model)),
  }
}
