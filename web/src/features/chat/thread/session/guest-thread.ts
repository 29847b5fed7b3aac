import { guardStorage, parseStored, type TextStorage } from '../../../../shared/session/index.ts'
import type { ThreadMessage } from '../state/thread-message.ts'

/** A guest's thread, stored in the tab only, because guests have no history; it survives a reload. */
export interface GuestThread {
  readonly messages: readonly ThreadMessage[]
  /** The answer that was running when it was stored. */
  readonly generating: string | null
}

/**
 * Stores and restores a guest's thread under one key. A damaged entry counts as absent; without storage the thread lasts as long as the page,
 * which is all that is promised.
 */
export function createGuestThreadStore(storage: () => TextStorage, key: string) {
  const stored = guardStorage(storage)
  return {
    read: (): GuestThread | null => parseGuestThread(parseStored(stored.read(key))),
    write: (thread: GuestThread): void =>
      stored.write(key, thread.messages.length === 0 ? null : JSON.stringify(thread)),
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
