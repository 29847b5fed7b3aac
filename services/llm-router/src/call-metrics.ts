import type { Model } from '@parley/contracts'
import type { Registry as Metrics } from '@parley/kit'
import { Histogram } from 'prom-client'

/** Returns a function that records a provider call: its outcome, and milliseconds to its first piece or failure. */
export function measureCalls(metrics: Metrics): (model: Model, outcome: string, ms: number) => void {
  const duration = new Histogram({
    name: 'provider_first_token_seconds',
    help: 'Seconds from a provider call to its first piece, or to its failure before one',
    labelNames: ['provider', 'model', 'outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120],
    registers: [metrics],
  })
  return (model, outcome, ms) => duration.observe({ provider: model.provider, model: model.id, outcome }, ms / 1000)
}
