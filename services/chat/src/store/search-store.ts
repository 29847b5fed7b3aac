import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '@parley/kit'
import { foldSlowly } from '../search/search-text.ts'
import type { ThreadMessage } from './entities.ts'

/** Length of texts that are in memory at once: for one round of indexing, and for those that one search looks at as they are. */
export const defaultSearchMemory = { indexed: 4 * 1024 * 1024, lookedAt: 16 * 1024 * 1024 }
export type SearchMemory = Readonly<typeof defaultSearchMemory>

/** Milliseconds that one question of a search may take. */
export const defaultSearchMs = 5_000

/** For a search that the engine did not answer in time. */
export const searchTooSlow = (cause: unknown): AppError =>
  new AppError('unavailable', 'The search took too long. Please try again shortly, or use longer words.', { cause })

/** A message that contains the words. */
export interface SearchHit {
  readonly chatId: string
  readonly messageId: string
}

/**
 * Finds messages by their words. Recent messages are scanned as they are; the rest are put into segments with an index over every one, two
 * and three consecutive characters, so that the cost of a search does not grow with the number of messages.
 */
export interface SearchStore {
  /**
   * Messages of the owner's chats that contain the words, which are folded and not empty; of chats that are not removed, the one written to last first.
   * What is in a segment is of archived chats only, or of none of them. At most one per segment and about `limit` of them. Of messages that are in no segment only the 2,000 written last are looked at, and no more than
   * `lookedAt` of them, 16 MB by default. @throws AppError unavailable when the engine takes longer than 5 s for a part of it
   */
  find(ownerId: string, folded: string, limit: number, archived?: boolean): Promise<readonly SearchHit[]>
  /** Puts finished messages written before `before` into segments, at most 500 and `indexed`, 4 MB by default. Resolves to how many. Two may do it at once. */
  index(before: Date): Promise<number>
}

/** The most messages that are indexed at once. */
export const indexedAtOnce = 500
/** The most messages of an owner that a search reads before they are indexed. */
export const lookedAtAsTheyAre = 2_000

/** A message that is not indexed yet. */
export type PendingMessage = Pick<ThreadMessage, 'id' | 'chatId' | 'content'>

/** UTF-16 units of messages that are looked at between two pauses. */
const lookedAtInARow = 64 * 1024

/** Those of the messages that contain the folded words. There are pauses for other work, however many short messages there are. */
export async function hitsAmong(messages: readonly PendingMessage[], folded: string): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  let inARow = 0
  for (const { id, chatId, content } of messages) {
    if (inARow > lookedAtInARow) {
      await breathe()
      inARow = 0
    }
    inARow += content.length
    if ((await foldSlowly(content)).includes(folded)) hits.push({ chatId, messageId: id })
  }
  return hits
}
