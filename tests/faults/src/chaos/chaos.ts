import { newId } from '@parley/kit'
import { type ApiCaller, seeded, waitUntil } from '@parley/testing'
import { emptyTranscript, sendAndListen } from '../listener.ts'
import type { ChaosFault, Random } from './faults.ts'
import { startRenaming } from './renaming.ts'
import { type Round, type Sent, violationsOf } from './violations.ts'
import { openWorld, type World } from './world.ts'

/** How long a run lasts and what it depends on. */
export interface ChaosOptions {
  /** What may happen. */
  readonly faults: readonly ChaosFault[]
  /** The same seed makes the same faults in the same order, at the same points of the answers. */
  readonly seed: number
  /** Asked before each fault. */
  readonly shouldContinue: (faultsSoFar: number) => boolean
  /** Longest time for which a process stands still. */
  readonly longestMs: number
  /** Told of each fault once it has been checked, and of the last look at the end. */
  readonly onFault?: (name: string, violations: readonly string[]) => void
}

/** A fault's line in the table. */
export interface ChaosRow {
  readonly fault: string
  count: number
  violations: number
}

/** The last line: what was kept after one fault may be gone after a later one. */
export const lastLook = 'everything once more at the end'

/** An answer is long enough that what was received early in it must have been saved before its end. */
const pieces = 40
const pieceMs = 100
const readyMs = 120_000

/** Hurts Parley in one process while people chat, one fault after the other, and holds it against what must be true after each and at the end. */
export async function runChaos(options: ChaosOptions): Promise<readonly ChaosRow[]> {
  const { faults, seed, shouldContinue, onFault } = options
  const random = seeded(seed)
  const order = faults.map((_, nth) => nth)
  const rows = [...faults.map(({ name }) => name), lastLook].map(
    (fault): ChaosRow => ({ fault, count: 0, violations: 0 }),
  )
  const note = (row: ChaosRow, violations: readonly string[]): void => {
    row.count += 1
    row.violations += violations.length
    onFault?.(row.fault, violations)
  }
  const rounds: Round[] = []
  const world = await openWorld()
  try {
    while (shouldContinue(rounds.length)) {
      const turn = rounds.length % faults.length
      // Every kind comes before any comes again.
      if (turn === 0) shuffle(order, random)
      const nth = order[turn] as number
      const people = await world.signIn()
      const round = await hurt(world, people, { ...options, fault: faults[nth] as ChaosFault, random }, rounds.length)
      rounds.push(round)
      note(rows[nth] as ChaosRow, await violationsOf(world, people, [round]))
      world.provider.reset()
    }
    note(rows.at(-1) as ChaosRow, await violationsOf(world, await world.signIn(), rounds))
  } finally {
    await world.close()
  }
  return rows
}

type Hurt = Pick<ChaosOptions, 'seed' | 'longestMs'> & { readonly fault: ChaosFault; readonly random: Random }

/** People send and one renames, a fault comes at a random point of the answers, and all are heard to their ends. */
async function hurt(
  world: World,
  people: readonly ApiCaller[],
  { seed, longestMs, fault, random }: Hurt,
  nth: number,
): Promise<Round> {
  const renaming = await startRenaming(people[0] as ApiCaller, `${seed}-${nth}`)
  const said = people.map((api, person) => say(world, api, `${seed}-${nth}-${person}-`))
  const point = random(people.length * pieces)
  await waitUntil(() => piecesHeard(said) >= point, 'the point of the fault', readyMs)
  const workedAt = renaming.acknowledgedAt()
  await fault.inflict(world, random, longestMs)
  await world.parley.process.ready(readyMs)
  await Promise.all(said.map(({ ended }) => ended))
  return { sent: said.map(({ sent }) => sent), renamed: await renaming.stop(), workedAt }
}

function shuffle(numbers: number[], random: Random): void {
  for (let last = numbers.length - 1; last > 0; last -= 1) {
    const other = random(last + 1)
    const kept = numbers[last] as number
    numbers[last] = numbers[other] as number
    numbers[other] = kept
  }
}

/** Each piece ends with a blank; several may come as one event. */
const piecesHeard = (said: readonly Saying[]): number =>
  said.reduce((sum, { sent }) => sum + sent.received.text.split(' ').length - 1, 0)

interface Saying {
  readonly sent: Sent
  readonly ended: Promise<unknown>
}

/** Sends a message in a chat of its own and listens to the end of its answer. */
function say({ provider }: World, api: ApiCaller, said: string): Saying {
  const chunks = Array.from({ length: pieces }, (_, nth) => `${said}.${nth} `)
  provider.always({ chunks, delayMs: pieceMs }, ({ messages }) =>
    String(messages?.findLast(({ role }) => role === 'user')?.content).includes(said),
  )
  const received = emptyTranscript(said, newId())
  return { sent: { received, whole: chunks.join('') }, ended: sendAndListen(api, received) }
}
