import { guardStorage, type TextStorage } from '../../../shared/session/index.ts'

/** Keeps what was typed but not sent, per chat. */
export interface DraftStore {
  /** Empty when there is none. */
  read(chat: string): string
  /** An empty text removes the draft. */
  write(chat: string, text: string): void
}

/** The draft of a chat that does not exist yet; it stays through sign-in. */
export const newChatDraft = 'new'

/** Drafts in `storage` under `prefix`, and in memory too, so that forbidden or full storage loses nothing before a reload. */
export function createDraftStore(storage: TextStorage, prefix: string): DraftStore {
  const memory = new Map<string, string>()
  const stored = guardStorage(() => storage)
  return {
    read: (chat) => memory.get(chat) ?? stored.read(prefix + chat) ?? '',
    write: (chat, text) => {
      memory.set(chat, text)
      stored.write(prefix + chat, text || null)
    },
  }
}
