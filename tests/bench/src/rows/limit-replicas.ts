import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNativeRedis } from '@parley/engines'
import type { Plan } from '../plan.ts'
import { startChild } from '../process-channel.ts'
import type { TakingQuestion } from '../processes/limit-process.ts'
import { withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const replicas = 4
const points = 1_000
/** Load of all replicas together, as a multiple of the limit. */
const load = 10
const tolerance = 0.005

/** P15: admitted calls over the limit when several replicas count on one Redis. */
export async function measureLimitOfReplicas({ rounds }: Plan): Promise<Row[]> {
  await using group = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-redis-'))
  group.defer(() => rm(folder, { recursive: true, force: true }))
  const redis = await startNativeRedis({ folder })
  group.defer(() => redis.close())
  const children = await Promise.all(Array.from({ length: replicas }, () => startChild('limit-process.ts')))
  for (const child of children) group.defer(() => child.stop())
  const shares: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const count = (load * points) / replicas
    const question: TakingQuestion = {
      ...{ url: redis.url, key: `key:${round}`, points, windowMs: 3_600_000, count, atOnce: 50 },
    }
    const admitted = await Promise.all(children.map((child) => child.ask<number>('take', question)))
    shares.push(admitted.reduce((sum, each) => sum + each, 0) / points)
  }
  return [
    {
      id: 'P15',
      goal: `admitted / limit, ${replicas} replicas over one Redis at ${load} times the load`,
      measured: withSpread(shares, 3),
      limit: `1 ± ${tolerance}`,
      met: shares.every((share) => Math.abs(share - 1) <= tolerance),
    },
  ]
}
