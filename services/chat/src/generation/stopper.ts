import { setTimeout as delay } from 'node:timers/promises'
import type { Signal } from '@parley/cache'
import { type Logger, notFound, unavailable } from '@parley/kit'
import type { StopReason } from '../store/documents.ts'
import type { GenerationSelection, GenerationStore } from '../store/generation-store.ts'
import type { AnswerRef } from './reader.ts'
import type { ChatTiming } from './timing.ts'

/** What stopping an answer uses. */
export interface StopperDeps {
  readonly generations: GenerationStore
  readonly signal: Signal
  readonly timing: ChatTiming
  readonly log: Logger
}

/** Stops answers on whatever replica they are made. */
export interface Stopper {
  /**
   * Stops one and resolves when its end is stored; at once when it has ended.
   * @throws AppError not_found when there is none, unavailable when it does not end in time
   */
  stop(ref: AnswerRef): Promise<void>
  /** Asks all of these to end and does not wait for it. */
  stopAll(selection: GenerationSelection, reason: StopReason): Promise<void>
}

/** A stopper that reaches every replica, by the store and faster by the signal. */
export function createStopper({ generations, signal, timing, log }: StopperDeps): Stopper {
  const stopAll: Stopper['stopAll'] = async (selection, reason) => {
    for (const messageId of await generations.requestStop(selection, reason)) {
      // Only faster: the owner also finds the request at its next checkpoint.
      await signal.publish('generation-stop', { messageId, reason }).catch((error: unknown) => {
        log.warn({ err: error, messageId }, 'a stop could not be signalled')
      })
    }
  }
  return {
    stopAll,
    async stop(ref) {
      const generation = await generations.find(ref.id, ref.ownerId)
      if (generation === undefined) throw notFound()
      if (generation.ending !== null) return
      await stopAll(ref, 'user')
      // An owner that died is found by the sweeper within this time.
      const deadline = performance.now() + timing.leaseMs + timing.sweepMs
      while (performance.now() < deadline) {
        await delay(timing.pollMs / 4)
        if ((await generations.find(ref.id, ref.ownerId))?.ending !== null) return
      }
      throw unavailable()
    },
  }
}
