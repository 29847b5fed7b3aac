import { newApiCaller } from '../api-caller.ts'
import { compareCpu } from '../cpu-ratio.ts'
import { type Parley, startParley } from '../parley.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const generousCredits = 1_000_000
const most = 1.25

/** P21: CPU per request of /v1 with its price held, settled and recorded, over that of the same services composed without metering. */
export async function measureMetering({ plan, stub, stubUrl, load, parley }: Whole): Promise<Row[]> {
  await stub.ask('pace', { tokens: 5, everyMs: 2, padding: 0 })
  await using group = new AsyncDisposableStack()
  const unmetered = await startParley(`${stubUrl}/v1`, { isUnmetered: true })
  group.defer(() => unmetered.stop())
  const callsOf = async (system: Parley) => ({
    system,
    target: (await newApiCaller(system, generousCredits)).target(false),
  })
  const { ratios, costs } = await compareCpu(
    { load, rounds: plan.rounds, calls: plan.apiCalls },
    { measured: await callsOf(parley), baseline: await callsOf(unmetered) },
  )
  return [
    {
      id: 'P21',
      goal: `CPU per request of /v1, metering on / off (${costs})`,
      measured: withSpread(ratios, 2, ' ×'),
      limit: `≤ ${most} ×`,
      met: median(ratios) <= most,
    },
  ]
}
