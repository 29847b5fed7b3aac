import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCrowd } from '../src/crowd.ts'
import { type FaultRow, faultRows } from '../src/fault-rows.ts'
import { brokenInvariants } from '../src/invariants.ts'
import { openStage, type Stage } from '../src/stage.ts'

let stage: Stage
const table: Record<string, string>[] = []
beforeAll(async () => {
  stage = await openStage()
}, 600_000)
afterAll(async () => {
  console.table(table)
  await stage?.close()
}, 240_000)

const usualCrowd = { size: 50, pieceMs: 500 }

async function show(row: FaultRow): Promise<void> {
  const { name, inflict, crowd: options = usualCrowd, mayInterrupt = false, killed = 0, cutsSockets = false } = row
  const restartsBefore = stage.split.restarts()
  const crowd = startCrowd(stage, options)
  // Answers of a row that fails would go on under the rows after it.
  onTestFinished(crowd.finish)
  await crowd.inTheMiddle()
  const observed = await inflict(stage, crowd)
  expect(observed, 'the fault was not observed').not.toBe('')
  await crowd.goesOn()
  crowd.finish()
  const heard = await crowd.all()
  const interrupted = heard.filter(({ ending }) => ending === 'error').length
  const resumed = heard.filter(({ interruptions }) => interruptions.length > 0).length
  const gap = Math.round(Math.max(...heard.map(({ longestGapMs }) => longestGapMs)))
  const reconnections = crowd.followers.reduce((sum, one) => sum + one.reconnections, 0)
  table.push({
    fault: name,
    observed,
    resumed: `${resumed}`,
    interrupted: `${interrupted}`,
    'sockets reconnected': `${reconnections}`,
    'longest gap, ms': `${gap}`,
  })
  expect((await brokenInvariants(stage, crowd)).join('\n')).toBe('')
  if (!mayInterrupt) expect(heard.flatMap(({ failure }) => failure ?? [])).toEqual([])
  if (cutsSockets) expect(reconnections).toBeGreaterThan(0)
  expect(stage.split.restarts() - restartsBefore).toBe(killed)
  // Everybody can go on: the system is whole again.
  const after = startCrowd(stage, { size: 4, pieceMs: 10 })
  after.finish()
  expect((await after.all()).map(({ ending }) => ending)).toEqual(['done', 'done', 'done', 'done'])
  expect(await Promise.all(after.followers.map((one) => one.ended()))).toEqual([true, true])
}

// Not `each`, which shortens names.
for (const row of faultRows) test(row.name, () => show(row))
