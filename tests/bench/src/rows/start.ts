import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startParley } from '../parley.ts'
import type { Plan } from '../plan.ts'
import { startChild } from '../process-channel.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const startLimitMs = 5_000
const memoryLimit = 300
/** Milliseconds until the garbage of the start has been collected. */
const restMs = 5_000

/** P23: from the start of the process on existing data to the first answered chat, and its memory when idle. */
export async function measureStart(plan: Plan): Promise<Row[]> {
  await using group = new AsyncDisposableStack()
  const stub = await startChild('stub-process.ts')
  group.defer(() => stub.stop())
  const provider = `${await stub.ask<string>('listen')}/v1`
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-start-'))
  group.defer(() => rm(dataDir, { recursive: true, force: true }))
  const times: number[] = []
  const sizes: number[] = []
  // The first start creates the database; it is not counted.
  for (let start = 0; start <= plan.starts; start += 1) {
    const startedAt = performance.now()
    const parley = await startParley(provider, { dataDir })
    try {
      await parley.call('POST', '/chat', parley.chat().body)
      if (start === 0) continue
      times.push(performance.now() - startedAt)
      await wait(restMs)
      sizes.push(parley.memory())
    } finally {
      await parley.stop()
    }
  }
  return [
    {
      id: 'P23',
      goal: 'start on an installed tree to the first answered chat, sign-in included',
      measured: withSpread(times, 0, ' ms'),
      limit: `≤ ${startLimitMs} ms`,
      met: median(times) <= startLimitMs,
    },
    {
      id: 'P23',
      goal: 'memory of the idle all-in-one without PostgreSQL’s processes',
      measured: withSpread(sizes, 0, ' MB'),
      limit: `≤ ${memoryLimit} MB`,
      met: median(sizes) <= memoryLimit,
    },
  ]
}
