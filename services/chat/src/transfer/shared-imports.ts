import type { StreamLog } from '@parley/cache'
import { errorBodySchema, type ImportEvent, type ImportOutcome, importEventSchema } from '@parley/contracts'
import { AppError, every, isAppError, unavailable } from '@parley/kit'
import type { Common } from '../common.ts'
import type { ChatTiming } from '../generation/timing.ts'
import type { ImportProgress, Share, Work } from './import-jobs.ts'

export interface SharedImportsDeps extends Pick<Common, 'log'> {
  readonly streamLog: StreamLog
  readonly timing: Pick<ChatTiming, 'checkpointMs' | 'leaseMs'>
}

/** The meaning of an entry in an import's log for a replica that was asked for the same import: it runs, has ended like this, or may be run. */
export type ImportState =
  | { readonly kind: 'running'; readonly progress?: ImportProgress }
  | { readonly kind: 'ended'; readonly end: Exclude<ImportEvent, { progress: ImportProgress }> }
  | { readonly kind: 'free' }

/** The entry of an import that has begun. */
const begunEntry = ''

/** @param isNew the entry arrived while the import was followed: an older end is that of an earlier import */
export function readImportEntry(data: string, isNew: boolean): ImportState {
  if (data === begunEntry) return { kind: 'running' }
  const event = importEventSchema.parse(JSON.parse(data))
  if ('progress' in event) return { kind: 'running', progress: event.progress }
  // A replica that stops or lacks its store leaves the import to another one.
  const isFree = !isNew || ('code' in event && event.code === 'unavailable')
  return isFree ? { kind: 'free' } : { kind: 'ended', end: event }
}

/** The last event of an import that failed. */
export function importFailure(thrown: unknown): Extract<ImportEvent, { error: string }> {
  const { message, code } = isAppError(thrown) ? thrown : unavailable(thrown)
  return { error: message, code }
}

/**
 * Has one replica run an import, and the others follow it. Its log has an entry for each turn: who appends the next one has the turn. A replica that was silent
 * for a lease has lost it, and one that reaches no log runs the import by itself, which stores nothing twice.
 */
export function shareImports(deps: SharedImportsDeps): Share<ImportOutcome> {
  return async (key, work, onProgress, signal) => {
    const streamId = `import-${key}`
    const turn = await takeTurn(deps, streamId, onProgress, signal).catch(() => undefined)
    signal.throwIfAborted()
    if (turn === undefined) return await work(onProgress, signal)
    if ('end' in turn) return outcomeOf(turn.end)
    return await runLogged(deps, { streamId, seq: turn.seq }, work, onProgress, signal)
  }
}

/** The number of the entry that began this replica's run, or how another replica's ended. */
type Turn = { readonly seq: number } | Pick<Extract<ImportState, { kind: 'ended' }>, 'end'>

async function takeTurn(deps: SharedImportsDeps, streamId: string, ...run: Parameters<Work<never>>): Promise<Turn> {
  for (;;) {
    const turn = await followRunning(deps, streamId, ...run)
    if ('end' in turn || (await deps.streamLog.append(streamId, [{ ...turn, data: begunEntry }]))) return turn
  }
}

/** Follows the run of another replica, if there is one. Resolves to its end, or to the number of the entry that would begin this replica's. */
async function followRunning(
  { streamLog, timing }: SharedImportsDeps,
  streamId: string,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<Turn> {
  const last = (await streamLog.state(streamId))?.lastSeq ?? 0
  if (last === 0) return { seq: 1 }
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), timing.leaseMs)
  let next = last + 1
  let before: string | undefined
  try {
    for await (const { seq, data } of streamLog.read(streamId, last - 1, AbortSignal.any([signal, silence.signal]))) {
      timer.refresh()
      next = seq + 1
      const state = readImportEntry(data, seq > last)
      if (state.kind === 'ended') return state
      if (state.kind === 'free') break
      // An entry that is like the one before it is a sign of life.
      if (state.progress !== undefined && data !== before) onProgress(state.progress)
      before = data
    }
  } finally {
    clearTimeout(timer)
  }
  signal.throwIfAborted()
  return { seq: next }
}

/** Runs the import and logs how far it is, as a sign of life too, then how it ended. */
async function runLogged(
  { streamLog, timing, log }: SharedImportsDeps,
  begun: { readonly streamId: string; readonly seq: number },
  work: Work<ImportOutcome>,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  let { seq } = begun
  let latest = begunEntry
  let isOurs = true
  const appendEntry = async (data: string): Promise<void> => {
    if (!isOurs) return
    const isAppended = await streamLog.append(begun.streamId, [{ seq: seq + 1, data }]).catch(() => undefined)
    if (isAppended) seq += 1
    isOurs = isAppended !== false
  }
  const heartbeat = every(timing.checkpointMs, () => appendEntry(latest), { name: 'log how far an import is', log })
  heartbeat.start()
  const result = work((progress) => {
    latest = JSON.stringify({ progress } satisfies ImportEvent)
    onProgress(progress)
  }, signal)
  const end = await result.catch(importFailure)
  await heartbeat.stop()
  await appendEntry(JSON.stringify(end satisfies ImportEvent))
  return await result
}

function outcomeOf(end: Extract<ImportState, { kind: 'ended' }>['end']): ImportOutcome {
  if (!('error' in end)) return end
  throw new AppError(errorBodySchema.shape.code.parse(end.code), end.error)
}
