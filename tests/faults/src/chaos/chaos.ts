import { newId } from '@parley/kit'
import { type ApiCaller, seeded, waitUntil } from '@parley/testing'
import { emptyTranscript, sendAndListen } from '../listener.ts'
import { chaosFaults, type Random } from './faults.ts'
import { type Sent, violationsOf } from './violations.ts'
import { openWorld, type World } from './world.ts'

/** How long a run lasts and what it depends on. */
export interface ChaosOptions {
  /** The same seed makes the same faults in the same order, at the same points of the answers. */
  readonly seed: number
  /** Asked before each fault. */
  readonly shouldContinue: (faultsSoFar: number) => boolean
  /** Longest time for which a process stands still. */
  readonly longestMs: number
  /** Told of each fault once it has been checked. */
  readonly onFault?: (name: string, violations: readonly string[]) => void
}

/** A fault's line in the table. */
export interface ChaosRow {
  readonly fault: string
  count: number
  violations: number
}

const pieces = 20
const pieceMs = 60
const readyMs = 120_000

/** Hurts Parley in one process while people chat, one fault after the other, and holds it against what must be true after each. */
export async function runChaos({
  seed,
  shouldContinue,
  longestMs,
  onFault,
}: ChaosOptions): Promise<readonly ChaosRow[]> {
  const random = seeded(seed)
  const rows = chaosFaults.map(({ name }): ChaosRow => ({ fault: name, count: 0, violations: 0 }))
  const world = await openWorld()
  try {
    for (let round = 0; shouldContinue(round); round += 1) {
      // Every kind comes before any comes again.
      if (round % chaosFaults.length === 0) shuffle(order, random)
      const nth = order[round % chaosFaults.length] as number
      const fault = chaosFaults[nth] as (typeof chaosFaults)[number]
      const people = await world.signIn()
      const sent = people.map((api, person) => say(world, api, `${seed}-${round}-${person}-`))
      const point = random(people.length * pieces)
      await waitUntil(() => piecesHeard(sent) >= point, 'the point of the fault', readyMs)
      await fault.inflict(world, random, longestMs)
      await world.parley.process.ready(readyMs)
      await Promise.all(sent.map(({ ended }) => ended))
      const violations = await violationsOf(
        world,
        sent.map((one) => one.sent),
      )
      const row = rows[nth] as ChaosRow
      row.count += 1
      row.violations += violations.length
      onFault?.(fault.name, violations)
      world.provider.reset()
    }
  } finally {
    await world.close()
  }
  return rows
}

const order = chaosFaults.map((_, nth) => nth)

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
  return { sent: { api, received, whole: chunks.join('') }, ended: sendAndListen(api, received) }
}
