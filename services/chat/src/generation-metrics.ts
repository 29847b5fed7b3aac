import { measureNow, type Registry } from '@parley/kit'
import { Counter, Histogram } from 'prom-client'
import type { Ending } from './store/entities.ts'

/** Metrics of the answers that this replica makes or ends. */
export type GenerationMetrics = ReturnType<typeof createGenerationMetrics>

/** Counts in the service's registry. */
export function createGenerationMetrics(registry: Registry) {
  const first = new Histogram({
    name: 'chat_first_token_seconds',
    help: 'Seconds from the start of an answer to its first visible character',
    labelNames: ['model'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30],
    registers: [registry],
  })
  const ends = new Counter({
    name: 'chat_generations_total',
    help: 'Answers that ended, by outcome and, where they failed, by error code',
    labelNames: ['model', 'outcome', 'code'],
    registers: [registry],
  })
  return {
    /** The first visible character is there. @param ms since the answer was begun */
    textBegan: (model: string, ms: number) => first.observe({ model }, ms / 1_000),
    /** The end of an answer was stored by this replica. */
    ended: (model: string, { outcome, failure }: Pick<Ending, 'outcome' | 'failure'>) =>
      ends.inc({ model, outcome, code: failure?.code ?? 'none' }),
    /** @param read how many answers are being made */
    countRunning: (read: () => number) =>
      measureNow(registry, { name: 'chat_generations_running', help: 'Answers that are being made' }, read),
  }
}
