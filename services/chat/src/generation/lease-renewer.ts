import type { Common } from '../common.ts'
import { generationIdOf } from '../store/continued.ts'
import type { NewGeneration } from '../store/entities.ts'
import type { GenerationStore, Lease } from '../store/generation-store.ts'
import type { Charges } from './charges.ts'
import { payerOf } from './continuation.ts'
import type { Cause } from './ending.ts'
import type { Presence } from './presence.ts'
import type { Transcript } from './transcript.ts'

export interface LeaseRenewerDeps extends Pick<Common, 'timing' | 'log' | 'now'> {
  readonly generations: GenerationStore
  readonly charges: Charges
  readonly presence: Presence
}

/**
 * Saves a running answer's text, renews its lease and its hold, and notices when it has to end.
 * @param end called with the cause when the answer has to end: a stop was asked for, the lease is lost, or a guest's readers have left
 */
export function startLeaseRenewer(
  deps: LeaseRenewerDeps,
  generation: NewGeneration,
  transcript: Transcript,
  lease: Lease,
  end: (cause: Cause) => void,
) {
  const { generations, charges, timing, log, now } = deps
  let savedVersion = 0
  let renewedAt = now().getTime()
  let readAt = now().getTime()
  const save = async (): Promise<boolean> => {
    const version = transcript.version()
    const progress = version === savedVersion ? undefined : transcript.progress()
    const kept = await generations.checkpoint(generation.id, lease, progress)
    savedVersion = version
    if (kept === undefined) end({ kind: 'lost' })
    else if (kept.stop !== null) end({ kind: 'stopped', reason: kept.stop })
    return kept !== undefined
  }
  const renewHold = async (): Promise<void> => {
    if (now().getTime() - renewedAt < timing.holdRenewMs) return
    renewedAt = now().getTime()
    await charges.renew(payerOf(generation))
  }
  const lookForReaders = async (): Promise<void> => {
    if (generation.guest === null) return
    if (await deps.presence.hasReader(generationIdOf(generation))) readAt = now().getTime()
    else if (now().getTime() - readAt >= timing.guestAbsenceMs) end({ kind: 'stopped', reason: 'user' })
  }
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let earlyUntil = Number.NEGATIVE_INFINITY
  let isStopped = false
  const pauseMs = (): number => {
    const isEarly = performance.now() < earlyUntil
    return isEarly ? Math.min(timing.earlyCheckpointMs, timing.checkpointMs) : timing.checkpointMs
  }
  const round = (): void => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(round, pauseMs())
    running ??= Promise.all([save(), renewHold(), lookForReaders()])
      .then(() => undefined)
      // The next round tries again; if the lease runs out meanwhile, another replica ends the answer.
      .catch((error: unknown) => log.warn({ err: error, generationId: generation.id }, 'a checkpoint failed'))
      .finally(() => {
        running = undefined
      })
  }
  timer = setTimeout(round, pauseMs())
  return {
    /** Saves at once; resolves to whether this replica still holds the lease. @throws what the store throws */
    save,
    /** Visible text has begun: it is saved soon, and more often for a while, as most of a short answer comes now. */
    textBegan() {
      earlyUntil = performance.now() + timing.earlyMs
      // A round that is under way may save what was there before.
      void Promise.resolve(running).then(round)
    },
    /** Resolves once nothing is saved or renewed any more. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
