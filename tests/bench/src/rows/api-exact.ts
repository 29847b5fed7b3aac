import { setTimeout as pause } from 'node:timers/promises'
import { newApiCaller } from '../api-caller.ts'
import type { SeenCalls } from '../processes/stub-process.ts'
import { quantile, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import { openTables } from '../tables.ts'
import type { Whole } from '../whole.ts'

const generousCredits = 1_000_000
const leaveLimitMs = 250
const leaveEveryMs = 15
/** Milliseconds for the provider to notice the last caller leaving. */
const afterLeavingMs = 1_000
const nearlyEmpty = 100
const rushing = 500
const repeats = 50
const revokedLimitMs = 500
const longPace = { tokens: 1_000, everyMs: 500, padding: 0 }

const exact = (id: string, goal: string, measured: string, limit: string): Row => ({
  ...{ id, goal, measured, limit },
  met: measured === limit,
})

/** P13, P14, P16 and P17: results that must be exact, in one process with full metering. */
export async function measureApiExactness(whole: Whole): Promise<Row[]> {
  await whole.stub.ask('pace', { tokens: 5, everyMs: 2, padding: 0 })
  return [...(await balance(whole)), ...(await repeated(whole)), await revoked(whole), ...(await left(whole))]
}

/** P14: many concurrent calls compete for too few credits; the plan's credits count too. */
async function balance({ load, parley, stub }: Whole): Promise<Row[]> {
  const program = await newApiCaller(parley, nearlyEmpty)
  const { remaining } = await parley.callAs<{ remaining: number }>(program.token, 'GET', '/user/credits')
  await stub.ask('forget')
  const statuses = await load.ask<number[]>('statuses', { target: program.target(false), count: rushing })
  const answered = statuses.filter((status) => status === 200).length
  const { calls } = await stub.ask<SeenCalls>('seen')
  const after = await parley.callAs<{ remaining: number }>(program.token, 'GET', '/user/credits')
  const goal = `${rushing} at once with ${remaining} credits: answered; calls of the provider; credits left`
  return [exact('P14', goal, `${answered}; ${calls}; ${after.remaining}`, `${remaining}; ${remaining}; 0`)]
}

/** P17: many concurrent calls under one Idempotency-Key. */
async function repeated({ load, parley, stub }: Whole): Promise<Row[]> {
  const program = await newApiCaller(parley, 0)
  const before = await parley.callAs<{ remaining: number }>(program.token, 'GET', '/user/credits')
  await stub.ask('forget')
  const target = program.target(true, { 'idempotency-key': 'bench' })
  const statuses = await load.ask<number[]>('statuses', { target, count: repeats })
  const { calls } = await stub.ask<SeenCalls>('seen')
  const after = await parley.callAs<{ remaining: number }>(program.token, 'GET', '/user/credits')
  const answered = statuses.filter((status) => status === 200).length
  const goal = `${repeats} at once under one Idempotency-Key: answered; calls of the provider; credits charged`
  return [exact('P17', goal, `${answered}; ${calls}; ${before.remaining - after.remaining}`, `${repeats}; 1; 1`)]
}

/** P16: from the response that a key is revoked to its first refusal. */
async function revoked({ load, parley, plan }: Whole): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    const program = await newApiCaller(parley, 0)
    const ask = { target: program.target(false), count: 1 }
    await load.ask('statuses', ask)
    const response = await fetch(`${parley.url}/api/user/keys/${program.keyId}`, {
      ...{ method: 'DELETE', headers: { authorization: `Bearer ${program.token}` } },
    })
    if (response.status !== 204) throw new Error(`A key was not revoked: ${response.status}`)
    const revokedAt = performance.now()
    while ((await load.ask<number[]>('statuses', ask))[0] !== 401);
    times.push(performance.now() - revokedAt)
  }
  return {
    ...{ id: 'P16', goal: 'from the revocation of a key in use to its first refusal, one process' },
    ...{ measured: withSpread(times, 0, ' ms'), limit: `≤ ${revokedLimitMs} ms` },
    met: Math.max(...times) <= revokedLimitMs,
  }
}

/** P13: callers leave in the middle of their answers. */
async function left({ load, parley, plan, stub }: Whole): Promise<Row[]> {
  const program = await newApiCaller(parley, generousCredits)
  await stub.ask('pace', longPace)
  await stub.ask('forget')
  const streams = plan.apiLeavers
  const leaveAt = await load.ask<number[]>('leave', { target: program.target(true), streams, everyMs: leaveEveryMs })
  await pause(afterLeavingMs)
  const { leftAt } = await stub.ask<SeenCalls>('seen')
  const delays = leftAt.map((at, nth) => at - (leaveAt[nth] ?? Number.NaN))
  const inTime = delays.filter((delay) => delay <= leaveLimitMs).length
  await using tables = await openTables(parley, 'billing')
  const { held = -1 } =
    (await tables.run<{ held: number }>("select count(*)::int as held from holds where state = 'held'")) ?? {}
  const goal = `${streams} callers leave: calls of the provider closed within ${leaveLimitMs} ms (p99 ${quantile(delays, 0.99).toFixed(0)} ms); holds left 1 s later`
  return [exact('P13', goal, `${inTime}; ${held}`, `${streams}; 0`)]
}
