import { guardStorage, type TextStorage } from '../../../shared/session/index.ts'

/** Unsent texts, per chat. */
export interface DraftStore {
  /** Empty if there is none. */
  read(chat: string): string
  /** An empty text removes the draft. */
  write(chat: string, text: string): void
}

/** The draft of a chat that does not exist yet; it survives signing in. */
export const newChatDraft = 'new'

/** Drafts in `storage` under `prefix`, and in memory, so that without storage nothing is lost before a reload. */
export function createDraftStore(storage: () => TextStorage, prefix: string): DraftStore {
  const memory = new Map<string, string>()
  const stored = guardStorage(storage)
  return {
    read: (chat) => memory.get(chat) ?? stored.read(prefix + chat) ?? '',
    write: (chat, text) => {
      memory.set(chat, text)
      stored.write(prefix + chat, text || null)
    },
  }
}
