import type { ThreadMessage } from './thread-message.ts'

/** Where texts are kept; `localStorage` and `sessionStorage` are such. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A guest's thread, kept by the tab alone as guests have no history; it survives a reload. */
export interface GuestThread {
  readonly messages: readonly ThreadMessage[]
  /** The answer that was running when it was kept. */
  readonly generating: string | null
}

/** Keeps and restores a guest's thread under one key. Forbidden or full storage, or a damaged entry, means that there is none. */
export function createGuestThreadStore(storage: TextStorage, key: string) {
  return {
    read: (): GuestThread | null => {
      try {
        return parseGuestThread(JSON.parse(storage.getItem(key) ?? 'null'))
      } catch {
        return null
      }
    },
    write: (thread: GuestThread): void => {
      try {
        if (thread.messages.length === 0) storage.removeItem(key)
        else storage.setItem(key, JSON.stringify(thread))
      } catch {
        // Without storage the thread lives as long as the page, which is all that was promised.
      }
    },
  }
}

function parseGuestThread(value: unknown): GuestThread | null {
  if (typeof value !== 'object' || value === null) return null
  const { messages, generating } = value as Record<string, unknown>
  if (!Array.isArray(messages) || !messages.every(isMessage)) return null
  return { messages, generating: typeof generating === 'string' ? generating : null }
}

const isMessage = (value: unknown): value is ThreadMessage =>
  typeof value === 'object' &&
  value !== null &&
  ['key', 'role', 'content', 'reasoning', 'state'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  ) &&
  ['attachments', 'toolCalls', 'modes', 'versions'].every((name) =>
    Array.isArray((value as Record<string, unknown>)[name]),
  )
