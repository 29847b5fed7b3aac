import type { Signal } from '@parley/cache'
import { notFound, unavailable } from '@parley/kit'
import type { Common } from '../common.ts'
import type { Generation, StopReason } from '../store/entities.ts'
import type { GenerationSelection, GenerationStore } from '../store/generation-store.ts'
import type { SendStore } from '../store/send-store.ts'
import type { SendKey } from './early-stops.ts'
import type { AnswerRef } from './reader.ts'
import type { RunningGenerations } from './running-generations.ts'

export interface StopAllDeps extends Pick<Common, 'log'> {
  readonly generations: GenerationStore
  readonly signal: Signal
}

export interface StopperDeps extends StopAllDeps, Pick<Common, 'waiters' | 'timing'> {
  readonly sends: SendStore
  readonly running: RunningGenerations
}

/** Asks all of these answers to end and does not wait for it. */
export type StopAll = (selection: GenerationSelection, reason: StopReason) => Promise<void>

/** Asks answers on every replica to end, by the store and faster by the signal. */
export function createStopAll({ generations, signal, log }: StopAllDeps): StopAll {
  return async (selection, reason) => {
    for (const messageId of await generations.requestStop(selection, reason)) {
      // This is only faster: the owner also finds the request at its next checkpoint.
      await signal.publish('generation-stop', { messageId, reason }).catch((error: unknown) => {
        log.warn({ err: error, messageId }, 'a stop could not be signalled')
      })
    }
  }
}

/** A stopper that reaches every replica. */
export function createStopper({ generations, sends, running, signal, waiters, timing, log }: StopperDeps) {
  const stopAll = createStopAll({ generations, signal, log })
  const stopSend = async (send: SendKey): Promise<void> => {
    running.stopSend(send)
    await signal.publish('send-stop', send).catch((error: unknown) => {
      log.warn({ err: error, ...send }, 'a stop could not be signalled')
    })
  }
  /** The answer to what was sent by the name of its answer or of its sender. */
  const findSent = async ({ id, ownerId }: AnswerRef) => {
    const named = await generations.find(id, ownerId)
    if (named !== undefined) return { isSent: true, generation: named }
    const send = await sends.find({ ownerId, clientMessageId: id, idempotencyKey: null })
    return { isSent: send !== undefined, generation: send && (await generations.find(send.messageId, ownerId)) }
  }
  /** Waits briefly for an answer that has not begun; undefined when it will not be made. */
  const begun = async (ref: AnswerRef): Promise<Generation | undefined> => {
    const patience = performance.now() + timing.unseenStopMs
    const waiting = waiters.listen(ref.ownerId, ref.id)
    try {
      for (let isStopped = false; ; isStopped = true) {
        const { isSent, generation } = await findSent(ref)
        if (generation !== undefined) return generation
        if (!isStopped) await stopSend({ ownerId: ref.ownerId, clientMessageId: ref.id })
        const left = patience - performance.now()
        if (left <= 0 && isSent) return undefined
        if (left <= 0) throw notFound()
        await waiting.next(Math.min(timing.lookMs, left))
      }
    } finally {
      waiting.end()
    }
  }
  return {
    stopAll,
    /**
     * Stops one and resolves when its end is stored; at once when it has ended. Instead of its id the ref may have the `clientMessageId` of its send: an
     * answer that is not begun yet ends as soon as it is, also when its send comes only after the stop was refused.
     * @throws AppError not_found when there is none, unavailable when it does not end in time
     */
    async stop(ref: AnswerRef): Promise<void> {
      const generation = await begun(ref)
      if (generation === undefined || generation.ending !== null) return
      const { id, ownerId } = generation
      const waiting = waiters.listen(ownerId, id)
      try {
        await stopAll({ id, ownerId }, 'user')
        // An owner that died is found by the sweeper within this time.
        const deadline = performance.now() + timing.leaseMs + timing.sweepMs
        while (performance.now() < deadline) {
          if ((await generations.find(id, ownerId))?.ending !== null) return
          await waiting.next(timing.lookMs)
        }
      } finally {
        waiting.end()
      }
      throw unavailable()
    },
  }
}
