import { chatInternalRoutes, type EventOf } from '@parley/contracts'
import { type Clock, isAppError, type ServiceClient } from '@parley/kit'
import { textKey } from './account.ts'
import { type Detected, detect, isWanted } from './detection/detect.ts'
import type { SignalPending } from './pending-changes.ts'
import type { SemanticReader } from './semantic/semantic-reader.ts'
import { defaultStoredSettings } from './store/documents.ts'
import type { MemoryStore } from './store/memory-store.ts'

export interface FinderDeps {
  readonly memories: Pick<MemoryStore, 'account' | 'suggest' | 'noteUse'>
  readonly client: Pick<ServiceClient, 'call'>
  /** Without it no model is called. */
  readonly semantic?: SemanticReader
  readonly signalPending: SignalPending
  readonly now: Clock
}

type Finished = Pick<EventOf<'chat.generation-finished'>, 'at' | 'data'>

/** Older answers are skipped, because a new consumer group receives all events that the bus still holds. Milliseconds. */
const staleMs = 24 * 60 * 60 * 1000

/** Suggests memories from the question of a finished answer. Idempotent. */
export type Finder = (finished: Finished) => Promise<void>

/** An answer may end after its user was erased: neither a failure to try again nor a dead letter, which would keep the user's id. */
const unlessErased = async <Item>(suggested: Promise<readonly Item[]>): Promise<readonly Item[]> => {
  try {
    return await suggested
  } catch (error) {
    if (isAppError(error, 'not_found')) return []
    throw error
  }
}

/** Reads only the user's message, from chat. */
export function createFinder({ memories, client, semantic, signalPending, now }: FinderDeps): Finder {
  const questionOf = async (userId: string, chatId: string, generationId: string) => {
    try {
      const params = { id: chatId, messageId: generationId }
      return await client.call(chatInternalRoutes.question, { params, query: { userId } })
    } catch (error) {
      // The chat has been deleted since.
      if (isAppError(error, 'not_found')) return undefined
      throw error
    }
  }
  return async ({ at, data }) => {
    const { userId, chatId, generationId, source = 'web', memoriesUsed = [] } = data
    if (userId === null || chatId === null || source !== 'web' || Date.parse(at) < now().getTime() - staleMs) return
    if (memoriesUsed.length > 0) await memories.noteUse(userId, memoriesUsed)
    const settings = (await memories.account(userId))?.doc.settings ?? defaultStoredSettings
    if (!settings.enabled || !settings.autoDetection) return
    const question = await questionOf(userId, chatId, generationId)
    if (question === undefined || !question.memoryEnabled) return
    const { messageId, content } = question
    const suggestAll = async (found: readonly Detected[]): Promise<void> => {
      const suggestions = found.map((each) => ({ ...each, source: { chatId, messageId }, merges: [] }))
      if (suggestions.length === 0 || (await unlessErased(memories.suggest(userId, suggestions))).length === 0) return
      await signalPending(userId)
    }
    const byPatterns = detect(content, settings)
    await suggestAll(byPatterns)
    if (!settings.semanticMemory || semantic === undefined) return
    const known = new Set(byPatterns.map(({ text }) => textKey(text)))
    const byModel = await semantic.read(content)
    await suggestAll(byModel.filter((each) => isWanted(each, settings) && !known.has(textKey(each.text))))
  }
}
