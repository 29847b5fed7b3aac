import { setTimeout as delay } from 'node:timers/promises'
import { eventOf } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { Clock, Logger, NewId } from '@parley/kit'
import type { ChatChanges } from '../changes.ts'
import type { Ending, NewGeneration, Progress } from '../store/documents.ts'
import type { GenerationStore } from '../store/generation-store.ts'
import type { Wake } from '../wake.ts'
import type { Charges } from './charges.ts'

/** What ending an answer uses. */
export interface ConcludeDeps {
  readonly generations: GenerationStore
  readonly charges: Charges
  readonly changes: Pick<ChatChanges, 'message'>
  readonly wake: Pick<Wake, 'tell'>
  readonly log: Logger
  readonly now: Clock
  readonly newId: NewId
}

/** While the store is away the text is kept here and the end is tried again, this many times and twice as long apart each time. */
const tries = 8
const firstPauseMs = 100

/** What is known of an answer at its end. */
export interface Conclusion {
  readonly generation: Pick<NewGeneration, 'id' | 'ownerId' | 'chatId' | 'guest'>
  readonly progress: Progress
  readonly ending: Ending
  /** Whether credits are held or a message is taken. What is unknown is left to the event, or to the sweeper. */
  readonly reserved: 'yes' | 'no' | 'unknown'
}

/**
 * Ends an answer: message and event in one act, then the settlement.
 * @returns the ending as it stands, or undefined when the answer was ended by somebody else or the store stayed away: then another replica ends it
 */
export async function conclude(
  deps: ConcludeDeps,
  leaseOwner: string,
  { generation, progress, ending, reserved }: Conclusion,
): Promise<Ending | undefined> {
  const { generations, charges, changes, wake, log } = deps
  const event = reserved === 'no' ? undefined : finishedEvent(deps, generation, progress, ending)
  const finished = await persist(log, () => generations.finish(generation.id, leaseOwner, progress, ending, event))
  if (!finished) return undefined
  const { id: messageId, ownerId: userId, chatId, guest } = generation
  void wake.tell(userId, messageId)
  if (guest === null) void changes.message(userId, chatId, messageId)
  if (reserved === 'unknown') return ending
  try {
    const credits = reserved === 'yes' ? await charges.settle(generation, progress.content, ending) : ending.credits
    await generations.noteSettled(generation.id, credits)
    return { ...ending, credits }
  } catch (error) {
    // The message is safe; what is not settled is found by the sweeper or told by the event.
    log.warn({ err: error, generationId: generation.id }, 'a settlement was left open')
    return ending
  }
}

function finishedEvent(
  { newId, now }: ConcludeDeps,
  { id, chatId, ownerId, guest }: Conclusion['generation'],
  { model }: Progress,
  { outcome, credits, usage }: Ending,
): Event {
  const data = {
    generationId: id,
    chatId: guest === null ? chatId : null,
    userId: guest === null ? ownerId : null,
    model,
    outcome,
    charge: credits.charged,
    usage,
  }
  return eventOf('chat.generation-finished', id, data, { id: newId(), at: now() })
}

async function persist(log: Logger, act: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      log.error({ err: error, attempt }, 'the end of an answer could not be stored')
      if (attempt === tries) return false
      await delay(firstPauseMs * 2 ** (attempt - 1))
    }
  }
}
