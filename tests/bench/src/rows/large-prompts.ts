import { newApiCaller } from '../api-caller.ts'
import { median, quantile, withSpread } from '../statistics.ts'
import { readGaps } from '../stream-gaps.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const streams = 200
const tokensPerSecond = 10
const promptBytes = 400_000
const promptsPerSecond = 5
const longText = 'A line of a long text. '.repeat(promptBytes / 23)
const limit = 1.3

/** P20: the effect of one program's large prompts on another's streams. */
export async function measureLargePrompts({ plan, parley, stub, load }: Whole): Promise<Row[]> {
  const seconds = plan.chatSeconds
  await stub.ask('pace', { tokens: tokensPerSecond * seconds, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  const prompts = promptsPerSecond * seconds
  const reader = await newApiCaller(parley, 2 * plan.rounds * streams)
  const writer = await newApiCaller(parley, 1_000 * plan.rounds * prompts)
  const gaps = async (): Promise<number> =>
    quantile(await readGaps(Array.from({ length: streams }, () => reader.target(true))), 0.99)
  const large = { ...writer.target(false), body: { model: 'v3', messages: [{ role: 'user', content: longText }] } }
  // The first round warms up and is not counted.
  await gaps()
  const rounds: { without: number; beside: number }[] = []
  for (let round = 0; round < plan.chatRounds; round += 1) {
    const without = await gaps()
    const [beside] = await Promise.all([
      gaps(),
      load.ask('requestsEvery', { target: large, count: prompts, everyMs: 1_000 / promptsPerSecond }),
    ])
    rounds.push({ without, beside })
  }
  const ratios = rounds.map(({ without, beside }) => beside / without)
  const each = (part: keyof (typeof rounds)[number]): string => median(rounds.map((round) => round[part])).toFixed(0)
  return [
    {
      id: 'P20',
      goal: `p99 of the pauses between the events of ${streams} streams of /v1 beside prompts of ${promptBytes / 1_000} kB, ${promptsPerSecond} a second, over without them (${each('beside')} ms / ${each('without')} ms)`,
      measured: withSpread(ratios, 2),
      limit: `≤ ${limit}`,
      met: median(ratios) <= limit,
    },
  ]
}
