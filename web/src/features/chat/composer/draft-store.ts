import { guardStorage, type TextStorage } from '../../../shared/session/index.ts'

/** The draft of a chat that does not exist yet; it survives signing in. */
export const newChatDraft = 'new'

/** Unsent texts per chat, in `storage` under `prefix`, and in memory, so that without storage nothing is lost before a reload. */
export function createDraftStore(storage: () => TextStorage, prefix: string) {
  const memory = new Map<string, string>()
  const stored = guardStorage(storage)
  return {
    /** Empty if there is none. */
    read: (chat: string): string => memory.get(chat) ?? stored.read(prefix + chat) ?? '',
    /** An empty text removes the draft. */
    write: (chat: string, text: string): void => {
      memory.set(chat, text)
      stored.write(prefix + chat, text || null)
    },
  }
}
