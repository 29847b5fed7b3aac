import { chatShareRoutes } from '@parley/contracts'
import { createFresh, type ServiceClient } from '@parley/kit'
import type { Principals } from '@parley/kit/access-token'
import { LRUCache } from 'lru-cache'
import type { ShareLink } from './store/share-documents.ts'

/** Whether links still lead anywhere: their owner is there and not banned, and so is their chat. */
export interface LinkState {
  /** @throws AppError unavailable when that cannot be found out */
  isLive(link: Pick<ShareLink, 'id' | 'ownerId' | 'expiresAt'>): Promise<boolean>
  /** Those of these chats that the user has. @throws AppError unavailable */
  knownChats(ownerId: string, chatIds: readonly string[]): Promise<ReadonlySet<string>>
  /** To be called when a chat was removed. */
  dropChat(chatId: string): void
  /** To be called when signals may have been missed. */
  clear(): void
}

/** What telling uses. */
export interface LinkStateDeps {
  readonly client: Pick<ServiceClient, 'call'>
  readonly principals: Pick<Principals, 'rights'>
  readonly now: () => Date
}

/** For so long chat is not asked again, in milliseconds: a chat that was removed ends its link within it, signal or not. */
const freshMs = 1_000
/** While chat cannot be asked, what it said last holds for so long: nothing is removed there meanwhile. */
const lastKnownMs = 60_000
const most = 10_000
/** So long a page waits for chat. */
const patienceMs = 2_000

/** Asks chat and auth, and remembers for a moment. */
export function createLinkState({ client, principals, now }: LinkStateDeps): LinkState {
  const fresh = createFresh<boolean>({ maxAgeMs: freshMs, max: most })
  const seen = new LRUCache<string, true>({ max: most, ttl: lastKnownMs })
  const knownChats = async (userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const body = { userId, ids: [...ids] }
    return new Set((await client.call(chatShareRoutes.known, { body, timeoutMs: patienceMs, repeat: true })).ids)
  }
  const isThere = async (ownerId: string, chatId: string): Promise<boolean> => {
    const there = (await knownChats(ownerId, [chatId])).has(chatId)
    if (there) seen.set(chatId, true)
    else seen.delete(chatId)
    return there
  }
  const hasChat = async (ownerId: string, chatId: string): Promise<boolean> => {
    try {
      return await fresh.get(chatId, () => isThere(ownerId, chatId))
    } catch (error) {
      if (seen.has(chatId)) return true
      throw error
    }
  }
  const mayShare = async (ownerId: string): Promise<boolean> => {
    const rights = await principals.rights(ownerId)
    return rights !== undefined && !rights.isBanned
  }
  return {
    async isLive({ id, ownerId, expiresAt }) {
      if (expiresAt !== null && expiresAt <= now()) return false
      const answers = await Promise.all([mayShare(ownerId), hasChat(ownerId, id)])
      return answers.every(Boolean)
    },
    knownChats,
    dropChat(chatId) {
      fresh.drop(chatId)
      seen.delete(chatId)
    },
    clear() {
      fresh.dropAll()
      seen.clear()
    },
  }
}
