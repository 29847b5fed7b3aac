import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCrowd } from '../src/crowd.ts'
import { faultRows } from '../src/fault-rows.ts'
import { brokenInvariants } from '../src/invariants.ts'
import { openStage, type Stage } from '../src/stage.ts'

let stage: Stage
const table: Record<string, string>[] = []
beforeAll(async () => {
  stage = await openStage()
}, 240_000)
afterAll(async () => {
  console.table(table)
  await stage?.close()
})

const crowdSize = 50
const pieces = 60
const pieceMs = 150

test.each(faultRows)('$name', async ({ name, inflict, mayInterrupt = false, killed = 0 }) => {
  const restartsBefore = stage.split.restarts()
  const crowd = startCrowd(stage, { size: crowdSize, pieces, pieceMs })
  await crowd.inTheMiddle()
  const observed = await inflict(stage, crowd.heard)
  expect(observed, 'the fault was not observed').not.toBe('')
  const heard = await crowd.all()
  const interrupted = heard.filter(({ ending }) => ending === 'error').length
  const resumed = heard.filter(({ interruptions }) => interruptions.length > 0).length
  const gap = Math.round(Math.max(...heard.map(({ longestGapMs }) => longestGapMs)))
  table.push({
    fault: name,
    observed,
    resumed: `${resumed}`,
    interrupted: `${interrupted}`,
    'longest gap, ms': `${gap}`,
  })
  expect(await brokenInvariants(stage, { heard, pieces })).toEqual([])
  if (!mayInterrupt) expect(interrupted).toBe(0)
  expect(stage.split.restarts() - restartsBefore).toBe(killed)
  // Everybody can go on: the system is whole again.
  const after = startCrowd(stage, { size: 4, pieces: 3, pieceMs: 10 })
  expect((await after.all()).map(({ ending }) => ending)).toEqual(['done', 'done', 'done', 'done'])
})
