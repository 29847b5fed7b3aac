import { newApiCaller } from '../api-caller.ts'
import { type Parley, startParley } from '../parley.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

/** Concurrent calls. */
const atOnce = 10
const generousCredits = 1_000_000
const most = 1.25

/** P21: CPU per request of /v1 with its price held, settled and recorded, over that of the same services composed without metering. */
export async function measureMetering({ plan, stub, stubUrl, load, parley }: Whole): Promise<Row[]> {
  await stub.ask('pace', { tokens: 5, everyMs: 2, padding: 0 })
  await using group = new AsyncDisposableStack()
  const unmetered = await startParley(`${stubUrl}/v1`, { isUnmetered: true })
  group.defer(() => unmetered.stop())
  const costOn = async (system: Parley): Promise<() => Promise<number>> => {
    const program = await newApiCaller(system, generousCredits)
    return async () => {
      const before = await system.ask<number>('cpu')
      await load.ask('requests', { target: program.target(false), count: plan.apiCalls, atOnce })
      return ((await system.ask<number>('cpu')) - before) / plan.apiCalls
    }
  }
  const [on, off] = [await costOn(parley), await costOn(unmetered)]
  // The first rounds warm up code and pools; they are not counted.
  for (const warm of [on, off, on, off]) await warm()
  const costs = { on: [] as number[], off: [] as number[] }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const which of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      costs[which].push(await { on, off }[which]())
    }
  }
  const ratios = costs.on.map((cost, round) => cost / (costs.off[round] ?? Number.NaN))
  const ms = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`
  return [
    {
      id: 'P21',
      goal: `CPU per request of /v1, metering on / off (${ms(costs.on)} / ${ms(costs.off)})`,
      measured: withSpread(ratios, 2, ' ×'),
      limit: `≤ ${most} ×`,
      met: median(ratios) <= most,
    },
  ]
}
