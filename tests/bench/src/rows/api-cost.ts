import { newApiCaller } from '../api-caller.ts'
import { type Peer, type Peers, startPeers } from '../peers/peers.ts'
import type { Target } from '../processes/load-process.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

/** Concurrent calls while CPU is measured. */
const atOnce = 10
const generousCredits = 1_000_000

/** A gateway in front of the stub, Parley's or a peer's. */
interface Hop {
  readonly name: string
  readonly whole: Target
  /** Undefined when it cannot stream. */
  readonly stream: Target | undefined
  /** Milliseconds of CPU time so far. */
  cpu(): Promise<number>
}

/** Measurements of one hop by round, in milliseconds. */
interface Costs {
  readonly cpu: number[]
  readonly added: number[]
  readonly firstByte: number[]
}

/** P2, P3, P5 and P7 of /v1: Parley fully metered, peers unmetered; each round covers all of them. */
export async function measureApiCost(whole: Whole): Promise<Row[]> {
  const { plan, stub, stubUrl, load } = whole
  await stub.ask('pace', { tokens: 5, everyMs: 2, padding: 0 })
  await using peers = await startPeers(stubUrl)
  const [ours, bare, direct] = await ownHops(whole)
  const hops = [bare, ours, ...peers.running.map(hopOf)]
  const each = async (hop: Hop): Promise<[cpu: number, latency: number, firstByte: number]> => {
    const before = await hop.cpu()
    await load.ask('requests', { target: hop.whole, count: plan.apiCalls, atOnce })
    const cpu = ((await hop.cpu()) - before) / plan.apiCalls
    const count = plan.apiCallsInTurn
    const latency = median(await load.ask<number[]>('requests', { target: hop.whole, count, atOnce: 1 }))
    if (hop.stream === undefined) return [cpu, latency, Number.NaN]
    return [cpu, latency, median(await load.ask<number[]>('firstBytes', { target: hop.stream, count }))]
  }
  // The first rounds warm up code and pools; they are not counted.
  for (let round = 0; round < 2; round += 1) for (const hop of hops) await each(hop)
  const costs = new Map(hops.map((hop): [Hop, Costs] => [hop, { cpu: [], added: [], firstByte: [] }]))
  for (let round = 0; round < plan.rounds; round += 1) {
    const [, latency, firstByte] = await each(direct)
    for (const hop of round % 2 === 0 ? hops : hops.toReversed()) {
      const [cpu, ownLatency, ownFirstByte] = await each(hop)
      const cost = costs.get(hop)
      cost?.cpu.push(cpu)
      cost?.added.push(ownLatency - latency)
      cost?.firstByte.push(ownFirstByte - firstByte)
    }
  }
  const of = (hop: Hop): Costs => costs.get(hop) ?? { cpu: [], added: [], firstByte: [] }
  return rowsOf(of(ours), of(bare), new Map(hops.slice(2).map((hop) => [hop.name, of(hop)])), peers)
}

/** The whole system, the bare pass-through and the provider without a hop. */
async function ownHops({ parley, stubUrl, bare, bareUrl }: Whole): Promise<[ours: Hop, bare: Hop, direct: Hop]> {
  const program = await newApiCaller(parley, generousCredits)
  const at = (name: string, url: string, cpu: Hop['cpu']): Hop => {
    const target = (isStream: boolean): Target => ({
      ...{ url: `${url}/v1/chat/completions`, headers: {} },
      body: program.target(isStream).body,
    })
    return { name, whole: target(false), stream: target(true), cpu }
  }
  const cpu = (): Promise<number> => parley.ask<number>('cpu')
  return [
    { name: 'Parley', whole: program.target(false), stream: program.target(true), cpu },
    at('bare', bareUrl, bare.cpu),
    at('none', stubUrl, async () => 0),
  ]
}

const hopOf = (peer: Peer): Hop => ({
  name: peer.name,
  ...{ whole: peer.target(false), stream: peer.streams ? peer.target(true) : undefined },
  cpu: async () => peer.cpu(),
})

const ratios = (upper: readonly number[], lower: readonly number[]): number[] =>
  upper.map((value, round) => value / (lower[round] ?? Number.NaN))

interface Judgement {
  readonly id: string
  readonly goal: string
  readonly values: readonly number[]
  readonly digits?: number
  readonly most?: number
  readonly least?: number
}

function judge({ id, goal, values, digits = 2, most, least }: Judgement): Row {
  const middle = median(values)
  const measured = withSpread(values, digits, ' ×')
  if (most !== undefined) return { id, goal, measured, limit: `≤ ${most} ×`, met: middle <= most }
  if (least !== undefined) return { id, goal, measured, limit: `≥ ${least} ×`, met: middle >= least }
  return { id, goal, measured, limit: '', met: undefined }
}

const limitsOfPeers = {
  Portkey: { latency: 1, cpu: 3, firstByte: 0.04 },
  LiteLLM: { latency: 0.3, cpu: 20, firstByte: undefined },
} as const

function rowsOf(ours: Costs, bare: Costs, peers: ReadonlyMap<string, Costs>, { missing }: Peers): Row[] {
  const ms = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`
  const path = '/v1 through gateway, llm-router and billing, metered'
  const rows = [
    judge({
      ...{ id: 'P2', values: ratios(ours.cpu, bare.cpu), most: 2.4 },
      goal: `CPU per request, ${path} / bare (${ms(ours.cpu)} / ${ms(bare.cpu)})`,
    }),
    judge({
      ...{ id: 'P3', values: ratios(ours.added, bare.added), digits: 1, most: 2.5 },
      goal: `added median latency, one client, ${path} / bare (${ms(ours.added)} / ${ms(bare.added)})`,
    }),
    judge({
      ...{ id: 'P7', values: ratios(ours.firstByte, bare.firstByte), digits: 1, most: 2.5 },
      goal: `added time to the first stream byte, ${path} / bare (${ms(ours.firstByte)} / ${ms(bare.firstByte)})`,
    }),
  ]
  for (const [name, costs] of peers) {
    const limits = name.startsWith('Portkey') ? limitsOfPeers.Portkey : limitsOfPeers.LiteLLM
    rows.push(
      judge({
        ...{ id: 'P5', values: ratios(costs.cpu, bare.cpu), digits: 1 },
        goal: `CPU per request, ${name} unmetered / bare (${ms(costs.cpu)})`,
      }),
      judge({
        ...{ id: 'P5', values: ratios(costs.cpu, ours.cpu), digits: 1, least: limits.cpu },
        goal: `CPU per request, ${name} unmetered / ${path}`,
      }),
      judge({
        ...{ id: 'P3', values: ratios(ours.added, costs.added), most: limits.latency },
        goal: `added median latency, one client, ${path} / ${name} (${ms(costs.added)})`,
      }),
    )
    if (costs.firstByte.some(Number.isNaN)) continue
    rows.push(
      judge({
        ...{ id: 'P7', values: ratios(ours.firstByte, costs.firstByte) },
        ...(limits.firstByte !== undefined && { most: limits.firstByte }),
        goal: `added time to the first stream byte, ${path} / ${name} (${ms(costs.firstByte)})`,
      }),
    )
  }
  return [
    ...rows,
    ...missing.map((what) => ({ id: 'P5', goal: `missing: ${what}`, measured: '–', limit: '', met: undefined })),
  ]
}
