import type { Usage } from '@parley/contracts'
import { Counter } from 'prom-client'
import type { Registry } from '../observability/metrics.ts'

/**
 * Counts calls of models on the product's own account, for which nobody is charged, in `<prefix>_calls_total` and `<prefix>_tokens_total`.
 * @param purpose completes “Calls of models …”
 */
export function countModelCalls(
  metrics: Registry,
  { prefix, purpose }: { readonly prefix: string; readonly purpose: string },
) {
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
    called: (model: string, outcome: 'answered' | 'failed') => calls.inc({ model, outcome }),
    used(model: string, { inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>): void {
      tokens.inc({ model, direction: 'input' }, inputTokens)
      tokens.inc({ model, direction: 'output' }, outputTokens)
    },
  }
}
