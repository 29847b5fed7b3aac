import { type CacheEngine, createAnswerWaiters } from '@parley/cache'
import { createKeyedLimiter, createLimiter, createLiveSettings, type ServiceClient, type Tools } from '@parley/kit'
import { createChatChanges } from './changes.ts'
import { type ChatTiming, defaultTiming } from './generation/timing.ts'
import { createModelDirectory } from './model-directory.ts'
import type { ChatStores } from './store/index.ts'
import type { MessageStore } from './store/message-store.ts'

export interface CommonDeps extends Pick<Tools, 'log' | 'now' | 'newId'> {
  readonly stores: ChatStores
  readonly cache: Pick<CacheEngine, 'signal'>
  readonly client: ServiceClient
  /** Instead of the product's own times. */
  readonly timing?: Partial<ChatTiming>
}

/** What most parts need; each names what it takes of it. */
export type Common = ReturnType<typeof createCommon>

/** Opens nothing. */
export function createCommon({ stores, cache, client, log, now, newId, timing: ownTiming }: CommonDeps) {
  const timing: ChatTiming = { ...defaultTiming, ...ownTiming }
  return {
    ...{ client, log, now, newId, timing },
    stores: { ...stores, messages: fewOutlinesAtOnce(stores.messages) },
    settings: createLiveSettings(client, now),
    models: createModelDirectory(client, now),
    changes: createChatChanges(cache.signal, log),
    waiters: createAnswerWaiters(cache.signal, log),
    /** This replica's. */
    lease: { owner: newId(), ms: timing.leaseMs },
  }
}

/** Outlines that are read at once, of all chats and of one; those beyond the waiting ones are refused. That of 100,000 messages takes 75 MB. */
const outlinesAtOnce = { ofAll: [2, 1_000], ofChat: [1, 100] } as const

function fewOutlinesAtOnce(store: MessageStore): MessageStore {
  const [ofAll, ofChat] = [createLimiter(...outlinesAtOnce.ofAll), createKeyedLimiter(...outlinesAtOnce.ofChat)]
  return { ...store, outline: (chatId) => ofChat.run(chatId, () => ofAll.run(() => store.outline(chatId))) }
}
