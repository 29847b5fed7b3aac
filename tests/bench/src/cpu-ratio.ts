import type { Parley } from './parley.ts'
import type { Child } from './process-channel.ts'
import type { Target } from './processes/load-process.ts'
import { median } from './statistics.ts'

/** Concurrent calls. */
const atOnce = 10

interface Measured {
  readonly system: Parley
  readonly target: Target
}

interface CpuRatios {
  /** One per round: CPU time per request, measured over baseline. */
  readonly ratios: readonly number[]
  /** Both medians in milliseconds per request, as text. */
  readonly costs: string
}

/** Compares the CPU time per request of two systems, which take turns; each answer is read to its end. */
export async function compareCpu(
  { load, rounds, calls }: { readonly load: Child; readonly rounds: number; readonly calls: number },
  systems: Readonly<Record<'measured' | 'baseline', Measured>>,
): Promise<CpuRatios> {
  const costOf = async ({ system, target }: Measured): Promise<number> => {
    const before = await system.ask<number>('cpu')
    await load.ask('requests', { target, count: calls, atOnce })
    return ((await system.ask<number>('cpu')) - before) / calls
  }
  const { measured, baseline } = systems
  // The first rounds warm up code and pools; they are not counted.
  for (const warm of [measured, baseline, measured, baseline]) await costOf(warm)
  const costs = { measured: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? (['measured', 'baseline'] as const) : (['baseline', 'measured'] as const)) {
      costs[which].push(await costOf(systems[which]))
    }
  }
  const ms = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`
  return {
    ratios: costs.measured.map((cost, round) => cost / (costs.baseline[round] ?? Number.NaN)),
    costs: `${ms(costs.measured)} / ${ms(costs.baseline)}`,
  }
}
