import type { TextStorage } from '../thread/guest-thread.ts'

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
  return {
    read: (chat) => memory.get(chat) ?? readText(storage, prefix + chat),
    write: (chat, text) => {
      memory.set(chat, text)
      try {
        if (text === '') storage.removeItem(prefix + chat)
        else storage.setItem(prefix + chat, text)
      } catch {
        // It stays in memory.
      }
    },
  }
}

function readText(storage: TextStorage, key: string): string {
  try {
    return storage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
