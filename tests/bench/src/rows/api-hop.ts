import { createKeySecret } from '@parley/kit'
import type { Plan } from '../plan.ts'
import { type Child, startChild } from '../process-channel.ts'
import type { Target } from '../processes/load-process.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const cpuLimit = 1.45
const atOnce = 10
const heldFirstByteLimit = 1.5
/** Long enough for each stream to stay open until all others are. */
const heldPace = { tokens: 1_000, everyMs: 1_000, padding: 60 }
const warmUps = 50

interface Hop {
  readonly child: Child
  readonly target: (isStream: boolean) => Target
}

/** P1 and P12: the cost of a /v1 request at the gateway alone, including the key check, over a bare pass-through; and thousands of open streams. */
export async function measureApiHop(plan: Plan): Promise<Row[]> {
  await using group = new AsyncDisposableStack()
  const start = async (file: string): Promise<Child> => {
    const child = await startChild(file)
    group.defer(() => child.stop())
    return child
  }
  const [stub, load] = [await start('stub-process.ts'), await start('load-process.ts')]
  const stubUrl = await stub.ask<string>('listen')
  const headers = { authorization: `Bearer ${createKeySecret()}` }
  const hop = async (name: 'bare' | 'gateway'): Promise<Hop> => {
    const child = await start(`${name}-process.ts`)
    const url = `${await child.ask<string>('listen', stubUrl)}/api/v1/chat/completions`
    const body = { model: 'v3', messages: [{ role: 'user', content: 'Say a few words.' }] }
    return { child, target: (stream) => ({ url, headers, body: { ...body, stream } }) }
  }
  const hops = { bare: await hop('bare'), gateway: await hop('gateway') }
  const perRequest = async ({ child, target }: Hop): Promise<number> => {
    const before = await child.cpu()
    await load.ask('requests', { target: target(false), count: plan.apiCalls, atOnce })
    return ((await child.cpu()) - before) / plan.apiCalls
  }
  for (let round = 0; round < 3; round += 1) for (const one of Object.values(hops)) await perRequest(one)
  const costs: { bare: number; gateway: number }[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    const bare = await perRequest(hops.bare)
    costs.push({ bare, gateway: await perRequest(hops.gateway) })
  }
  const each = (name: 'bare' | 'gateway'): string => median(costs.map((cost) => cost[name])).toFixed(3)
  const ratios = costs.map(({ gateway, bare }) => gateway / bare)
  await stub.ask('pace', heldPace)
  const held = {
    bare: await holdMany(load, hops.bare, plan.apiStreams),
    gateway: await holdMany(load, hops.gateway, plan.apiStreams),
  }
  const slower = held.gateway.p99 / held.bare.p99
  return [
    {
      id: 'P1',
      goal: `CPU per request of /v1, gateway alone, which checks the key / bare (${each('gateway')} ms / ${each('bare')} ms)`,
      measured: withSpread(ratios, 2, ' ×'),
      limit: `≤ ${cpuLimit} ×`,
      met: median(ratios) <= cpuLimit,
    },
    {
      id: 'P12',
      goal: `${plan.apiStreams} streams open in one process of the gateway: lost`,
      measured: `${held.gateway.lost}`,
      limit: '0',
      met: held.gateway.lost === 0,
    },
    {
      id: 'P12',
      goal: `the same: p99 of the time to the first byte while they are opened, 50 at once / bare (${held.gateway.p99.toFixed(0)} ms / ${held.bare.p99.toFixed(0)} ms)`,
      measured: `${slower.toFixed(2)} ×`,
      limit: `≤ ${heldFirstByteLimit} ×`,
      met: slower <= heldFirstByteLimit,
    },
  ]
}

/** Opens this many streams, reads briefly from each, and leaves them. */
async function holdMany(load: Child, { target }: Hop, streams: number): Promise<{ p99: number; lost: number }> {
  await load.ask('hold', { target: target(true), streams: warmUps })
  await load.ask('releaseAll')
  const p99 = await load.ask<number>('hold', { target: target(true), streams })
  return { p99, lost: streams - (await load.ask<number>('releaseAll')) }
}
