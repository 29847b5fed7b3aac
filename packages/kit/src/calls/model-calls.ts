import type { Usage } from '@parley/contracts'
import { Counter } from 'prom-client'
import type { Registry } from '../observability/metrics.ts'

/** Counts calls of models on the product's own account, for which nobody is charged. */
export interface ModelCalls {
  called(model: string, outcome: 'answered' | 'failed'): void
  used(model: string, usage: Pick<Usage, 'inputTokens' | 'outputTokens'>): void
}

/**
 * In `<prefix>_calls_total` and `<prefix>_tokens_total`.
 * @param purpose completes “Calls of models …”
 */
export function countModelCalls(
  metrics: Registry,
  { prefix, purpose }: { readonly prefix: string; readonly purpose: string },
): ModelCalls {
  const registers = [metrics]
  const calls = new Counter({
    name: `${prefix}_calls_total`,
    help: `Calls of models ${purpose}, by model and outcome`,
    labelNames: ['model', 'outcome'],
    registers,
  })
  const tokens = new Counter({
    name: `${prefix}_tokens_total`,
    help: 'Tokens that these calls used, by model and direction',
    labelNames: ['model', 'direction'],
    registers,
  })
  return {
    called: (model, outcome) => calls.inc({ model, outcome }),
    used(model, { inputTokens, outputTokens }) {
      tokens.inc({ model, direction: 'input' }, inputTokens)
      tokens.inc({ model, direction: 'output' }, outputTokens)
    },
  }
}
