import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { eventOf } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Common } from '../common.ts'
import type { GenerationMetrics } from '../generation-metrics.ts'
import { memoryOf } from '../memory/memory-events.ts'
import { generationIdOf } from '../store/continued.ts'
import type { Ending, NewGeneration } from '../store/entities.ts'
import type { GenerationStore } from '../store/generation-store.ts'
import type { Charges } from './charges.ts'
import { type DecidedEnd, payerOf } from './continuation.ts'

export interface FinalizeDeps extends Pick<Common, 'changes' | 'waiters' | 'log' | 'now' | 'newId'> {
  readonly generations: GenerationStore
  readonly charges: Charges
  readonly metrics: GenerationMetrics
}

/** While the store is unavailable the text is kept in memory and storing the end is retried, this many times with exponential back-off. */
const mostAttempts = 8
const firstPauseMs = 100

/** The result of a generation. */
export interface GenerationOutcome {
  readonly generation: Pick<NewGeneration, 'id' | 'ownerId' | 'chatId' | 'guest' | 'continued'>
  readonly end: DecidedEnd
  /** Milliseconds from its start to its first visible character; undefined when it has none, or when another replica made it. */
  readonly firstTokenMs?: number | undefined
  /** Whether credits are held or a message is taken from the allowance. If unknown, the event or the sweeper settles it. */
  readonly reserved: 'yes' | 'no' | 'unknown'
}

/**
 * Finalizes a generation: message and event in one act, then the settlement.
 * @returns the stored ending; undefined when another replica ended the answer, or when the store stayed unavailable, so that another replica's sweeper ends it
 */
export async function finalize(
  deps: FinalizeDeps,
  leaseOwner: string,
  outcome: GenerationOutcome,
): Promise<Ending | undefined> {
  const { generations, charges, changes, waiters, metrics, log } = deps
  const { generation, reserved } = outcome
  const { kept, own, ending } = outcome.end
  const event = reserved === 'no' ? undefined : finishedEvent(deps, outcome)
  const finished = await storeWithRetries(log, () => generations.finish(generation.id, leaseOwner, kept, ending, event))
  if (!finished) return undefined
  metrics.ended(own.model, ending)
  const { id: messageId, ownerId: userId, chatId, guest } = generation
  void waiters.notify(userId, messageId)
  if (guest === null) void changes.message(userId, chatId, messageId)
  if (reserved === 'unknown') return ending
  try {
    const told = { answered: toldEnd(outcome) }
    const credits =
      reserved === 'yes' ? await charges.settle(payerOf(generation), own.content, ending, told) : ending.credits
    // A user's settlement is not open, and its credits are as they were foreseen, unless something else was paid for meanwhile.
    if (guest !== null || !isDeepStrictEqual(credits, ending.credits))
      await generations.noteSettled(generation.id, credits, generationIdOf(generation))
    return { ...ending, credits }
  } catch (error) {
    // The message is stored; the sweeper or the event settles what is left.
    log.warn({ err: error, generationId: generation.id }, 'a generation could not be settled')
    return ending
  }
}

/** The end for receipts and usage. */
function toldEnd({ end: { own, ending }, firstTokenMs }: GenerationOutcome) {
  const { outcome, usage, durationMs } = ending
  const first = firstTokenMs === undefined ? {} : { firstTokenMs }
  return { model: own.model, outcome, usage, responseMs: durationMs, ...first }
}

function finishedEvent({ newId, now }: FinalizeDeps, outcome: GenerationOutcome): Event {
  const { generation, end } = outcome
  const { chatId, ownerId, guest } = generation
  const id = generationIdOf(generation)
  const { memoriesUsed } = memoryOf(end.own.events)
  const data = {
    generationId: id,
    chatId: guest === null ? chatId : null,
    userId: guest === null ? ownerId : null,
    ...toldEnd(outcome),
    charge: end.ending.credits.charged,
    source: 'web' as const,
    ...(memoriesUsed !== undefined && { memoriesUsed: memoriesUsed.map((memory) => memory.id) }),
  }
  return eventOf('chat.generation-finished', id, data, { id: newId(), at: now() })
}

async function storeWithRetries(log: Logger, act: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      log.error({ err: error, attempt }, 'the end of an answer could not be stored')
      if (attempt === mostAttempts) return false
      await delay(firstPauseMs * 2 ** (attempt - 1))
    }
  }
}
