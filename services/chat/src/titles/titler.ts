import type { CheapestModel, LiveSettings, Logger } from '@parley/kit'
import type { ChatChanges } from '../changes.ts'
import type { ChatStore } from '../store/chat-store.ts'
import type { Chat } from '../store/entities.ts'
import { readTitle, titlePrompt } from './model-title.ts'

/** A chat that goes by the beginning of its first message. */
export interface Untitled extends Pick<Chat, 'id' | 'ownerId' | 'title'> {
  readonly question: string
}

/** Titles new chats by a model, where admins have it so. */
export interface Titler {
  /** Begins to title a chat whose first answer has ended; a title that a user gave it meanwhile stays, and so does the old one when this fails. */
  begin(chat: Untitled, answer: string): void
  /** Cancels running work; resolves when it has ended. */
  stop(): Promise<void>
}

export interface TitlerDeps {
  readonly settings: Pick<LiveSettings, 'current'>
  readonly model: CheapestModel
  readonly chats: Pick<ChatStore, 'retitle'>
  readonly changes: Pick<ChatChanges, 'updated'>
  readonly log: Logger
}

/** A titler that asks the model once for each chat. */
export function createTitler({ settings, model, chats, changes, log }: TitlerDeps): Titler {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const title = async ({ id, ownerId, title, question }: Untitled, answer: string): Promise<void> => {
    if (!(await settings.current()).chatTitles) return
    const better = await model.ask(titlePrompt(question, answer), readTitle, stopping.signal)
    if (better === undefined) return
    const chat = await chats.retitle(id, ownerId, { from: title, to: better })
    if (chat !== undefined) await changes.updated(chat)
  }
  return {
    begin(chat, answer) {
      const run = title(chat, answer)
        .catch((error: unknown) => log.warn({ err: error, chatId: chat.id }, 'a chat could not be titled'))
        .finally(() => running.delete(run))
      running.add(run)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
