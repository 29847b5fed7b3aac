import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { startClients } from './clients.ts'
import type { FaultRow } from './fault-rows.ts'
import { brokenInvariants } from './invariants.ts'
import { openStage, type Stage } from './stage.ts'

const usualClients = { size: 50, pieceMs: 500 }

const mostWarnings = 100

/** The last warnings and errors of a log. */
const warningsOf = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/"level":[123]0/.test(line))
    .slice(-mostWarnings)
    .join('\n')

/** What is tested, in order. */
interface Faults {
  /** Need a machine to themselves; what waits for their end is told by the file of `FAULTS_ALONE_UNTIL`. */
  readonly alone: readonly FaultRow[]
  readonly rows: readonly FaultRow[]
}

/**
 * Registers a test for each fault, on one stage, and the table of what they did.
 * @returns the stage, for further tests of the file
 */
export function testFaults({ alone, rows }: Faults): () => Stage {
  let stage: Stage
  const table: Record<string, string>[] = []
  beforeAll(async () => {
    stage = await openStage()
  }, 600_000)
  beforeEach(() => stage.signIn())
  afterAll(async () => {
    console.table(table)
    await stage?.close()
  })
  // `test.each` would truncate the names.
  const testEach = (some: readonly FaultRow[]) => {
    for (const row of some) test(row.name, () => show(stage, row, table))
  }
  describe('on a machine of its own', () => {
    testEach(alone)
    // After a second try, too.
    afterAll(() => {
      const { FAULTS_ALONE_UNTIL: file } = process.env
      if (file !== undefined) writeFileSync(file, '')
    })
  })
  testEach(rows)
  return () => stage
}

/** Injects a fault while clients chat, notes what it did, and checks what must be true afterwards. */
async function show(stage: Stage, row: FaultRow, table: Record<string, string>[]): Promise<void> {
  const { name, inflict, clients: options = usualClients, mayInterrupt = false, killed = 0, cutsSockets = false } = row
  const restartsBefore = stage.split.restarts()
  const saidBefore = stage.split.output().length
  onTestFailed(() => console.error(warningsOf(stage.split.output().slice(saidBefore))))
  const clients = startClients(stage, options)
  // Answers of a failed row must not continue during the next rows.
  onTestFinished(clients.finish)
  await clients.inTheMiddle()
  const observed = await inflict(stage, clients)
  expect(observed, 'the fault was not observed').not.toBe('')
  await clients.progresses()
  clients.finish()
  const received = await clients.all()
  const interrupted = received.filter(({ ending }) => ending === 'error').length
  const resumed = received.filter(({ interruptions }) => interruptions.length > 0).length
  const gap = Math.round(Math.max(...received.map(({ longestGapMs }) => longestGapMs)))
  const reconnections = clients.followers.reduce((sum, one) => sum + one.reconnections, 0)
  table.push({
    fault: name,
    observed,
    resumed: `${resumed}`,
    interrupted: `${interrupted}`,
    'sockets reconnected': `${reconnections}`,
    'longest gap, ms': `${gap}`,
  })
  expect((await brokenInvariants(stage, clients)).join('\n')).toBe('')
  if (!mayInterrupt) expect(received.flatMap(({ failure }) => failure ?? [])).toEqual([])
  if (cutsSockets) expect(reconnections).toBeGreaterThan(0)
  expect(stage.split.restarts() - restartsBefore).toBe(killed)
  // The system has recovered: all clients can chat.
  const after = startClients(stage, { size: 4, pieceMs: 10 })
  after.finish()
  expect((await after.all()).map(({ ending }) => ending)).toEqual(['done', 'done', 'done', 'done'])
  expect(await Promise.all(after.followers.map((one) => one.ended()))).toEqual([true, true])
}
