import type { StreamsReport } from '../processes/load-process.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const tokensPerSecond = 20
const rampMs = 4_000
const delayLimitMs = 100

/** W2: many chats streaming at once through the whole system; every token is checked. */
export async function measureManyChats({ plan, stub, load, stubUrl, parley }: Whole): Promise<Row[]> {
  const tokens = tokensPerSecond * plan.chatSeconds
  await stub.ask('pace', { tokens, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  const read = (target: object): Promise<StreamsReport> =>
    load.ask<StreamsReport>('readTokens', { target, streams: plan.chats, tokens, rampMs })
  const rounds: { direct: StreamsReport; full: StreamsReport }[] = []
  for (let round = 0; round < plan.chatRounds; round += 1) {
    const direct = await read({ url: `${stubUrl}/v1/chat/completions`, headers: {}, body: { stream: true } })
    rounds.push({ direct, full: await read(parley.chat()) })
  }
  const total = (part: (report: StreamsReport) => number): number =>
    rounds.reduce((sum, { full }) => sum + part(full), 0)
  const wrong = total(({ failed, lost, disordered }) => failed + lost + disordered)
  const reason = rounds.flatMap(({ full }) => full.reasons)[0]
  const added = rounds.map(({ direct, full }) => full.delayP99 - direct.delayP99)
  const middle = rounds.map(({ direct, full }) => full.delayP50 - direct.delayP50)
  const begin = (part: 'beginP50' | 'beginP95'): string =>
    (median(rounds.map(({ full }) => full[part])) / 1_000).toFixed(1)
  const what = `${plan.chats} chats streaming ${tokensPerSecond} tokens/s for ${plan.chatSeconds} s`
  return [
    {
      id: 'W2',
      goal: `${what}: failed, lost and disordered events${reason === undefined ? '' : ` (${reason})`}`,
      measured: `${total(({ failed }) => failed)}, ${total(({ lost }) => lost)}, ${total(({ disordered }) => disordered)}`,
      limit: '0, 0, 0',
      met: wrong === 0,
    },
    {
      id: 'W2',
      goal: `${what}: p99 delay of an event over the provider's (p50 ${median(middle).toFixed(0)} ms; answers begin after ${begin('beginP50')} s, p95 ${begin('beginP95')} s)`,
      measured: withSpread(added, 0, ' ms'),
      limit: `≤ ${delayLimitMs} ms`,
      met: median(added) <= delayLimitMs,
    },
  ]
}
