import type { StreamLog } from '@parley/cache'
import type { StreamEvent } from '@parley/contracts'
import type { Common } from '../common.ts'
import { generationIdOf } from '../store/continued.ts'
import type { Generation, Progress } from '../store/entities.ts'
import type { AbandonedStore, Lease } from '../store/generation-store.ts'
import { decideEnd, ownProgress, payerOf } from './continuation.ts'
import type { Cause } from './ending.ts'
import { type FinalizeDeps, finalize } from './finalize.ts'
import { searchOf } from './search-of.ts'
import { type Delta, frameOf, type Piece } from './transcript.ts'

export interface SweeperDeps extends FinalizeDeps, Pick<Common, 'timing'> {
  readonly abandoned: AbandonedStore
  readonly streamLog: StreamLog
  /** This replica's lease. */
  readonly owner: string
  /** True while this replica makes the answer. */
  readonly isRunning: (id: string) => boolean
}

/** Answers of a replica that died with hundreds of them are ended side by side. */
const endsAtOnce = 8

/** Puts right what replicas left that died. */
export function createSweeper(deps: SweeperDeps) {
  const { abandoned, timing, log } = deps
  const lease: Lease = { owner: deps.owner, ms: timing.leaseMs }
  let notBefore = Number.NEGATIVE_INFINITY
  let lookedAt = Number.POSITIVE_INFINITY
  let hasWaited = false
  /** A machine that slept has run out all leases: as it wakes, owners that live extend theirs first. */
  const wakesUp = (): boolean => {
    const at = deps.now().getTime()
    const stoodStill = at - lookedAt > timing.sweepMs + timing.leaseMs / 2
    lookedAt = at
    // A store that is always this slow must not put it off for ever.
    hasWaited = stoodStill && !hasWaited
    return hasWaited
  }
  /** For as long as an owner may be silent at any other time. */
  const waitForOwners = (): void => {
    notBefore = performance.now() + timing.leaseMs
  }
  const takeOver = async (): Promise<Generation | undefined> => {
    try {
      return await abandoned.takeOver(lease)
    } catch (error) {
      // While the store was unavailable no lease could be renewed: living owners come first when it is back.
      waitForOwners()
      throw error
    }
  }
  const spared = new Set<string>()
  /** Once for each answer that is made here: one that cannot extend its lease by itself hangs. */
  const isSpared = (id: string): boolean => {
    for (const each of spared) if (!deps.isRunning(each)) spared.delete(each)
    if (!deps.isRunning(id) || spared.has(id)) return false
    spared.add(id)
    return true
  }
  const endFrom = async (first: Generation | undefined): Promise<void> => {
    for (let next = first ?? (await takeOver()); next !== undefined; next = await takeOver()) {
      const { id } = next
      // Its lease ran out while this process was paused; taking it over has extended it, so the answer continues.
      if (isSpared(id)) continue
      log.warn({ generationId: id }, 'ending an abandoned answer')
      await endOne(deps, next).catch((error: unknown) => {
        // It is found again when the lease taken for it is over; the others are not held up.
        log.error({ err: error, generationId: id }, 'an abandoned answer could not be ended')
      })
    }
  }
  return {
    /** Ends every answer whose owner has died, with the text that was delivered or saved. */
    async end(): Promise<void> {
      if (wakesUp()) waitForOwners()
      if (performance.now() < notBefore) return
      const first = await takeOver()
      if (first === undefined) return
      await Promise.all([endFrom(first), ...Array.from({ length: endsAtOnce - 1 }, () => endFrom(undefined))])
    },
    /** Settles guests' answers that ended while their owner died. */
    settle: () => settleAbandoned(deps),
  }
}

async function endOne(deps: SweeperDeps, generation: Generation): Promise<void> {
  const progress = await withDelivered(deps, generation)
  const cause: Cause = generation.stop === null ? { kind: 'lost' } : { kind: 'stopped', reason: generation.stop }
  const end = decideEnd(cause, generation, progress, { now: deps.now() })
  await finalize(deps, deps.owner, { generation, end, reserved: 'yes' })
}

/** The saved progress, together with the later entries of the log, as far as they can be read. */
async function withDelivered({ streamLog, timing, log }: SweeperDeps, generation: Generation): Promise<Progress> {
  const delivered: unknown[] = []
  const streamId = generationIdOf(generation)
  const signal = AbortSignal.timeout(timing.leaseMs / 2)
  const isWhole = async (): Promise<boolean> => delivered.length >= ((await streamLog.state(streamId))?.lastSeq ?? 0)
  try {
    do {
      // Closing the log first: an owner that only seemed dead can then deliver nothing that is not stored. Waits for a slow engine.
      await streamLog.close(streamId)
      for await (const { data } of streamLog.read(streamId, delivered.length, signal)) delivered.push(parse(data))
      // Reading also ends when the engine is slow to answer.
    } while (!(await isWhole().catch(() => false)) && !signal.aborted)
  } catch (error) {
    log.warn({ err: error, generationId: generation.id }, 'only the saved text of an answer could be recovered')
  }
  return joined(generation, delivered)
}

function joined(generation: Generation, delivered: readonly unknown[]): Progress {
  const pieces = delivered.flatMap(toPiece)
  if (pieces.length <= generation.frames.length) return generation
  const opening = delivered.slice(0, delivered.length - pieces.length) as Progress['opening']
  const textOf = (kind: Delta['kind']): string =>
    pieces.flatMap((piece) => (piece.kind === kind ? piece.text : [])).join('')
  const events = pieces.flatMap((piece) => (piece.kind === 'event' ? [piece.event] : []))
  const words = { content: textOf('text'), reasoning: textOf('reasoning') }
  // The content that an answer had when it was continued is kept, whatever its log says.
  if (words.content.length < generation.content.length) return generation
  return {
    ...generation,
    ...words,
    opening,
    frames: pieces.map(frameOf),
    events,
    search: searchOf(events) ?? generation.search,
  }
}

const parse = (data: string): unknown => (data.startsWith('{') ? JSON.parse(data) : data)

/** Keys of the events among an answer's pieces: of memories, tools and searches. */
const eventKeys = [
  ...['memories_used', 'memory_unavailable', 'web_search_url', 'url_content_processing'],
  ...['tool_call_start', 'tool_call_result', 'tool_call_error'],
]

function toPiece(event: unknown): Piece[] {
  if (typeof event !== 'object' || event === null) return []
  if ('text' in event) return [{ kind: 'text', text: String(event.text) }]
  if ('reasoning' in event) return [{ kind: 'reasoning', text: String(event.reasoning) }]
  // This service wrote it.
  if (eventKeys.some((key) => key in event)) return [{ kind: 'event', event: event as StreamEvent }]
  return []
}

async function settleAbandoned({ abandoned, charges, generations, timing, now }: SweeperDeps): Promise<void> {
  const before = new Date(now().getTime() - timing.leaseMs)
  for (const generation of await abandoned.unsettled(before)) {
    if (generation.ending === null) continue
    const { content } = ownProgress(generation, generation.continued)
    const credits = await charges.settle(payerOf(generation), content, generation.ending)
    await generations.noteSettled(generation.id, credits, generationIdOf(generation))
  }
}
