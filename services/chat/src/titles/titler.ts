import type { CheapestModel } from '@parley/kit'
import type { Common } from '../common.ts'
import type { Chat } from '../store/entities.ts'
import { readTitle, titlePrompt } from './model-title.ts'

/** A chat that goes by the beginning of its first message. */
export interface Untitled extends Pick<Chat, 'id' | 'ownerId' | 'title'> {
  readonly question: string
}

/** Titles new chats by a model, where admins have it so. */
export type Titler = ReturnType<typeof createTitler>

export interface TitlerDeps extends Pick<Common, 'stores' | 'settings' | 'changes' | 'log'> {
  readonly model: CheapestModel
}

/** A titler that asks the model once for each chat. */
export function createTitler({ stores, settings, model, changes, log }: TitlerDeps) {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const title = async ({ id, ownerId, title, question }: Untitled, answer: string): Promise<void> => {
    if (!(await settings.current()).chatTitles) return
    const better = await model.ask(titlePrompt(question, answer), readTitle, stopping.signal)
    if (better === undefined) return
    const chat = await stores.chats.retitle(id, ownerId, { from: title, to: better })
    if (chat !== undefined) await changes.updated(chat)
  }
  return {
    /** Begins to title a chat whose first answer has ended; a title that a user gave it meanwhile stays, and so does the old one when this fails. */
    begin(chat: Untitled, answer: string): void {
      const run = title(chat, answer)
        .catch((error: unknown) => log.warn({ err: error, chatId: chat.id }, 'a chat could not be titled'))
        .finally(() => running.delete(run))
      running.add(run)
    },
    /** Cancels running work; resolves when it has ended. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
