import { execFileSync } from 'node:child_process'
import type { Plan } from '../plan.ts'
import { type Child, startChild } from '../process-channel.ts'
import type { Target } from '../processes/load-process.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const limit = 1.1
/** Long enough for each stream to stay open during the measurement. */
const pace = { tokens: 1_000, everyMs: 1_000, padding: 60 }
/** Streams served before the measurement, to compile code and fill pools. */
const warmUps = 50
/** File descriptors of a process other than its streams'. */
const otherFiles = 200

type Hop = 'bare' | 'gateway'

/** P11: memory per open stream at the gateway over that at a bare pass-through. */
export async function measureStreamMemory(plan: Plan): Promise<Row[]> {
  await using group = new AsyncDisposableStack()
  const stub = await startChild('stub-process.ts')
  group.defer(() => stub.stop())
  const load = await startChild('load-process.ts')
  group.defer(() => load.stop())
  const stubUrl = await stub.ask<string>('listen')
  await stub.ask('pace', pace)
  const headers = { authorization: `Bearer ${await stub.ask<string>('token')}` }
  const streams = Math.min(plan.heldStreams, mostStreams())
  const measure = (hop: Hop): Promise<number> => kilobytesEach({ hop, load, stubUrl, headers, streams })
  const rounds: Record<Hop, number>[] = []
  for (let round = 0; round < plan.heldRounds; round += 1) {
    rounds.push({ bare: await measure('bare'), gateway: await measure('gateway') })
  }
  const each = (hop: Hop): string => median(rounds.map((round) => round[hop])).toFixed(1)
  const ratios = rounds.map(({ bare, gateway }) => gateway / bare)
  return [
    {
      id: 'P11',
      goal: `memory per open stream at ${streams}, gateway / bare (${each('gateway')} kB / ${each('bare')} kB)`,
      measured: withSpread(ratios, 2, ' ×'),
      limit: `≤ ${limit} ×`,
      met: median(ratios) <= limit,
    },
  ]
}

interface Held {
  readonly hop: Hop
  readonly load: Child
  readonly stubUrl: string
  readonly headers: Target['headers']
  readonly streams: number
}

/** Kilobytes (1,000 bytes) per stream, in a fresh process: one that had more streams before would not grow. */
async function kilobytesEach({ hop, load, stubUrl, headers, streams }: Held): Promise<number> {
  const child = await startChild(`${hop}-process.ts`)
  try {
    const url = await child.ask<string>('listen', stubUrl)
    const target: Target = { url: `${url}/api/chat`, headers, body: { message: 'Hi', model: 'v3' } }
    await load.ask('hold', { target, streams: warmUps })
    await load.ask('releaseAll')
    const before = await child.memory()
    await load.ask('hold', { target, streams })
    const after = await child.memory()
    const open = await load.ask<number>('releaseAll')
    if (open < streams) throw new Error(`${streams - open} of ${streams} streams ended early at ${hop}`)
    return ((after - before) * 1_000) / streams
  } finally {
    await child.stop()
  }
}

/** Each stream takes two connections in the relaying process. */
function mostStreams(): number {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  return Number.isNaN(files) ? Number.POSITIVE_INFINITY : Math.floor((files - otherFiles) / 2)
}
