import { newId } from '@parley/kit'
import { type ApiCaller, seeded, waitUntil } from '@parley/testing'
import { emptyTranscript, sendAndListen } from '../listener.ts'
import type { ChaosFault, Random } from './faults.ts'
import { startRenaming } from './renaming.ts'
import { type Round, type Sent, violationsOf } from './violations.ts'
import { openWorld, type World } from './world.ts'

/** Length and contents of a run. */
export interface ChaosOptions {
  /** The faults to choose from. */
  readonly faults: readonly ChaosFault[]
  /** Reproduces the same faults in the same order, at the same points of the answers. */
  readonly seed: number
  /** Called before each fault. */
  readonly shouldContinue: (faultsSoFar: number) => boolean
  /** Longest standstill of a process. */
  readonly longestMs: number
  /** Called after each fault has been checked, and after the final check. */
  readonly onFault?: (name: string, violations: readonly string[]) => void
}

/** One fault's row in the table. */
export interface ChaosRow {
  readonly fault: string
  count: number
  violations: number
}

/** Name of the final check: data that survived one fault may be lost by a later one. */
export const lastLook = 'final check of all rounds'

/** Long enough that text received early in an answer must have been saved before its end. */
const pieces = 40
const pieceMs = 100
const readyMs = 120_000

/** Injects faults into the all-in-one Parley while users chat, and checks the invariants after each fault and at the end. */
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
      // Every kind of fault occurs once before any is repeated.
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

/** Injects one fault at a random point of the answers, while users send and one renames; listens to every answer to its end. */
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

/** Every piece ends with a space; one event may carry several. */
const piecesHeard = (said: readonly Saying[]): number =>
  said.reduce((sum, { sent }) => sum + sent.received.text.split(' ').length - 1, 0)

interface Saying {
  readonly sent: Sent
  readonly ended: Promise<unknown>
}

/** Sends a message in a new chat and listens to its answer to the end. */
function say({ provider }: World, api: ApiCaller, said: string): Saying {
  const chunks = Array.from({ length: pieces }, (_, nth) => `${said}.${nth} `)
  provider.always({ chunks, delayMs: pieceMs }, ({ messages }) =>
    String(messages?.findLast(({ role }) => role === 'user')?.content).includes(said),
  )
  const received = emptyTranscript(said, newId())
  return { sent: { received, whole: chunks.join('') }, ended: sendAndListen(api, received) }
}
