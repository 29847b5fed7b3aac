import type { Plan } from '../plan.ts'
import { type Child, startChild } from '../process-channel.ts'
import type { Target } from '../processes/load-process.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const limit = 1.3
const everyMs = 5
const padding = 60

/** P8: CPU per 1,000 streamed chunks at the gateway alone over a bare pass-through, both signed in and in the same rounds. */
export async function measureChunkCpu(plan: Plan): Promise<Row> {
  await using group = new AsyncDisposableStack()
  const start = async (file: string): Promise<Child> => {
    const child = await startChild(file)
    group.defer(() => child.stop())
    return child
  }
  const [stub, load, bare, gateway] = [
    await start('stub-process.ts'),
    await start('load-process.ts'),
    await start('bare-process.ts'),
    await start('gateway-process.ts'),
  ]
  const stubUrl = await stub.ask<string>('listen')
  await stub.ask('pace', { tokens: plan.chunksEach, everyMs, padding })
  const headers = { authorization: `Bearer ${await stub.ask<string>('token')}` }
  const hops = {
    bare: { child: bare, url: await bare.ask<string>('listen', stubUrl) },
    gateway: { child: gateway, url: await gateway.ask<string>('listen', stubUrl) },
  }
  const perThousand = async ({ child, url }: { child: Child; url: string }): Promise<number> => {
    const target: Target = { url: `${url}/api/chat`, headers, body: { message: 'Hi', model: 'v3' } }
    const before = await child.cpu()
    await load.ask('drain', { target, streams: plan.chunkStreams })
    return ((await child.cpu()) - before) / ((plan.chunkStreams * plan.chunksEach) / 1_000)
  }
  // The first rounds warm up code and pools; they are not counted.
  for (let round = 0; round < 2; round += 1) for (const hop of Object.values(hops)) await perThousand(hop)
  const costs: { bare: number; gateway: number }[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    const bareFirst = round % 2 === 0
    const early = await perThousand(bareFirst ? hops.bare : hops.gateway)
    const late = await perThousand(bareFirst ? hops.gateway : hops.bare)
    costs.push(bareFirst ? { bare: early, gateway: late } : { bare: late, gateway: early })
  }
  const ratios = costs.map((cost) => cost.gateway / cost.bare)
  const each = (hop: 'bare' | 'gateway'): string => median(costs.map((cost) => cost[hop])).toFixed(2)
  return {
    id: 'P8',
    goal: `CPU per 1,000 streamed chunks, gateway / bare (${each('gateway')} ms / ${each('bare')} ms)`,
    measured: withSpread(ratios, 2, ' ×'),
    limit: `≤ ${limit} ×`,
    met: median(ratios) <= limit,
  }
}
