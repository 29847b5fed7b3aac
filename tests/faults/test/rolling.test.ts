import type { ServiceName } from '@parley/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCrowd } from '../src/crowd.ts'
import { brokenInvariants } from '../src/invariants.ts'
import { openStage, type Stage } from '../src/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 240_000)
afterAll(() => stage?.close())

const crowdSize = 200
const pieces = 50
const pieceMs = 600

test.each(['gateway', 'realtime', 'chat', 'llm-router'] as const satisfies readonly ServiceName[])(
  'one of two replicas of %s is told to stop under 200 streams, and none of them fails',
  async (service) => {
    const crowd = startCrowd(stage, { size: crowdSize, pieces, pieceMs })
    await crowd.inTheMiddle()
    const [replica] = stage.split.replicas(service)
    const pid = replica?.pid
    await replica?.kill('SIGTERM')
    await replica?.restarted()
    expect(replica?.pid).not.toBe(pid)
    const heard = await crowd.all()
    expect(heard.filter(({ ending }) => ending !== 'done')).toEqual([])
    expect(await brokenInvariants(stage, { heard, followers: crowd.followers, pieces })).toEqual([])
  },
)
