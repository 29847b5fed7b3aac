import type { StreamLog } from '@parley/cache'
import type { Generation, Progress } from '../store/documents.ts'
import type { AbandonedStore, Lease } from '../store/generation-store.ts'
import { type ConcludeDeps, conclude } from './conclude.ts'
import { type Cause, decideEnding } from './ending.ts'
import type { ChatTiming } from './timing.ts'
import type { Delta } from './transcript.ts'

/** What putting right after a death uses. */
export interface RecoveryDeps extends ConcludeDeps {
  readonly abandoned: AbandonedStore
  readonly streamLog: StreamLog
  readonly timing: ChatTiming
  /** Of this replica. */
  readonly owner: string
}

/** Ends every answer whose owner has died, with the text that was delivered or saved. */
export async function endAbandoned(deps: RecoveryDeps): Promise<void> {
  const lease: Lease = { owner: deps.owner, ms: deps.timing.leaseMs }
  for (;;) {
    const generation = await deps.abandoned.takeOver(lease)
    if (generation === undefined) return
    deps.log.warn({ generationId: generation.id }, 'ending an abandoned answer')
    await endOne(deps, generation)
  }
}

async function endOne(deps: RecoveryDeps, generation: Generation): Promise<void> {
  // First nobody can append any more: an owner that only seemed dead delivers nothing that is not kept.
  await deps.streamLog.close(generation.id)
  const progress = await withDelivered(deps.streamLog, generation)
  const cause: Cause = generation.stop === null ? { kind: 'lost' } : { kind: 'stopped', reason: generation.stop }
  const ending = decideEnding(cause, generation, progress, { now: deps.now() })
  await conclude(deps, deps.owner, { generation, progress, ending, reserved: 'yes' })
}

/** What was saved, with what the log has beyond it. */
async function withDelivered(log: StreamLog, generation: Generation): Promise<Progress> {
  const delivered: unknown[] = []
  for await (const { data } of log.read(generation.id, 0, new AbortController().signal)) delivered.push(parse(data))
  const deltas = delivered.flatMap(toDelta)
  if (deltas.length <= generation.frames.length) return generation
  const opening = delivered.slice(0, delivered.length - deltas.length) as Progress['opening']
  const joined = (kind: Delta['kind']): string =>
    deltas.flatMap((delta) => (delta.kind === kind ? delta.text : [])).join('')
  const frames = deltas.map(({ kind, text }) => (kind === 'text' ? text.length : -text.length))
  return { ...generation, opening, content: joined('text'), reasoning: joined('reasoning'), frames }
}

const parse = (data: string): unknown => (data.startsWith('{') ? JSON.parse(data) : data)

function toDelta(event: unknown): Delta[] {
  if (typeof event !== 'object' || event === null) return []
  if ('text' in event) return [{ kind: 'text', text: String(event.text) }]
  if ('reasoning' in event) return [{ kind: 'reasoning', text: String(event.reasoning) }]
  return []
}

/** Settles guests' answers that ended while their owner died. */
export async function settleAbandoned({ abandoned, charges, generations, timing, now }: RecoveryDeps): Promise<void> {
  const before = new Date(now().getTime() - timing.leaseMs)
  for (const generation of await abandoned.unsettled(before)) {
    if (generation.ending === null) continue
    const credits = await charges.settle(generation, generation.content, generation.ending)
    await generations.noteSettled(generation.id, credits)
  }
}
