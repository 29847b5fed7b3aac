import { startChild } from '../process-channel.ts'
import type { Attack, AttackKind } from '../processes/attack-process.ts'
import { register } from '../register.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import { timedCall } from '../timed-call.ts'
import type { Whole } from '../whole.ts'

const limitMs = 100
const quietCalls = 200

const attacks: Readonly<Record<AttackKind, string>> = {
  packed: 'a body that unpacks to 100 MB, to each route',
  deep: 'a body of nothing but lists in lists, to each route',
  wide: 'a body of nothing but lists beside lists, to each route',
  slow: 'four bodies whose rest never comes, to each route',
  import: 'the largest import that is allowed',
}

/** S1: the longest wait of another user's light request while an account sends hostile bodies. */
export async function measureHostileBodies({ plan, parley }: Whole): Promise<Row[]> {
  const [attacker, reader] = [await register(parley, 's1-attacker'), await register(parley, 's1-reader')]
  const url = `${parley.url}/api/chat/history?limit=20`
  const call = (): Promise<number> => timedCall(url, reader.token)
  const quiet: number[] = []
  for (let calls = 0; calls < 2 * quietCalls; calls += 1) quiet.push(await call())
  const alone = Math.max(...quiet.slice(quietCalls))
  await using group = new AsyncDisposableStack()
  const child = await startChild('attack-process.ts')
  group.defer(() => child.stop())
  const rows: Row[] = []
  for (const [kind, what] of Object.entries(attacks) as [AttackKind, string][]) {
    const attack: Attack = { kind, url: parley.url, token: attacker.token, adminToken: parley.token }
    const longest: number[] = []
    let calls = 0
    for (let round = 0; round < plan.rounds; round += 1) {
      const times = await timesUntil(child.ask('attack', attack), call)
      longest.push(Math.max(...times))
      calls += times.length
    }
    rows.push({
      id: 'S1',
      goal: `the longest wait of another user's light request while one account sends ${what} (${calls} requests; without that ${alone.toFixed(0)} ms)`,
      measured: withSpread(longest, 0, ' ms'),
      limit: `≤ ${limitMs} ms`,
      met: median(longest) <= limitMs,
    })
  }
  return rows
}

/** Repeats a call until `end` settles, and once more. @throws Error when `end` rejects */
async function timesUntil(end: Promise<unknown>, call: () => Promise<number>): Promise<number[]> {
  let isOver = false
  const ending = end.finally(() => {
    isOver = true
  })
  // Handled below; avoids an unhandled rejection meanwhile.
  ending.catch(() => undefined)
  const times: number[] = []
  do times.push(await call())
  while (!isOver)
  await ending
  return times
}
