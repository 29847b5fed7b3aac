import { chatShareRoutes } from '@parley/contracts'
import { createFresh, type ServiceClient } from '@parley/kit'
import type { Principals } from '@parley/kit/access-token'
import { LRUCache } from 'lru-cache'
import type { ShareLink } from './store/documents.ts'

/** Decides whether a link is live: not expired, its chat exists, and its owner exists and is not banned. */
export type LinkState = ReturnType<typeof createLinkState>

/** The dependencies of a LinkState. */
export interface LinkStateDeps {
  readonly client: Pick<ServiceClient, 'call'>
  readonly principals: Pick<Principals, 'rights'>
  readonly now: () => Date
}

/** TTL of chat's answer, in milliseconds: a removed chat disables its link within it, even if the signal is lost. */
const freshMs = 1_000
/** TTL of chat's last answer while chat is unavailable, in milliseconds: nothing is removed there meanwhile. */
const lastKnownMs = 60_000
const most = 10_000
/** Time-out of chat, in milliseconds, for which a page waits. */
const patienceMs = 2_000

/** Reads from chat and auth through short-lived caches. */
export function createLinkState({ client, principals, now }: LinkStateDeps) {
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
    /** @throws AppError unavailable when auth or chat cannot be reached */
    async isLive({ id, ownerId, expiresAt }: Pick<ShareLink, 'id' | 'ownerId' | 'expiresAt'>): Promise<boolean> {
      if (expiresAt !== null && expiresAt <= now()) return false
      const answers = await Promise.all([mayShare(ownerId), hasChat(ownerId, id)])
      return answers.every(Boolean)
    },
    /** The given chats that belong to the user. @throws AppError unavailable */
    knownChats,
    /** Call when a chat was removed. */
    dropChat(chatId: string): void {
      fresh.drop(chatId)
      seen.delete(chatId)
    },
    /** Call when signals may have been missed. */
    clear(): void {
      fresh.dropAll()
      seen.clear()
    },
  }
}
