import type { Attachment, ChatMode } from '@parley/contracts'
import { guardStorage, parseStored, type TextStorage } from '../../../shared/session/index.ts'

/** What goes with the text of a message that is being written. */
export interface DraftExtras {
  /** Files that are at the server already. */
  readonly attachments: readonly Attachment[]
  readonly modes: readonly ChatMode[]
  /** Long texts that were pasted; each is sent as a block of the message. */
  readonly pasted: readonly string[]
  /** The text describes an image to be made. */
  readonly image: boolean
}

/** Nothing goes with the text. */
export const noExtras: DraftExtras = { attachments: [], modes: [], pasted: [], image: false }

const allModes: readonly ChatMode[] = ['webSearch', 'study', 'finance']
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isAttachment = (value: unknown): value is Attachment =>
  isRecord(value) &&
  ['id', 'url', 'name', 'mimeType'].every((key) => typeof value[key] === 'string') &&
  typeof value.size === 'number' &&
  (value.type === 'image' || value.type === 'file')

const listOf = <T>(value: unknown, accepts: (one: unknown) => one is T): T[] =>
  Array.isArray(value) ? value.filter(accepts) : []

/** Stored extras; storage is shared with the person, so that whatever is not understood counts as absent. */
export function parseExtras(raw: string | null): DraftExtras {
  const value = parseStored(raw)
  if (!isRecord(value)) return noExtras
  return {
    attachments: listOf(value.attachments, isAttachment),
    modes: allModes.filter((mode) => listOf(value.modes, (one): one is unknown => true).includes(mode)),
    pasted: listOf(value.pasted, (one) => typeof one === 'string'),
    image: value.image === true,
  }
}

const isNothing = ({ attachments, modes, pasted, image }: DraftExtras): boolean =>
  attachments.length + modes.length + pasted.length === 0 && !image

/** Keeps the extras of every chat's draft. */
export interface ExtrasStore {
  /** The same object until it changes. */
  read(chat: string): DraftExtras
  change(chat: string, next: (now: DraftExtras) => DraftExtras): void
  /** Calls `listener` at every change; answers a function that ends it. */
  subscribe(listener: () => void): () => void
}

/** Extras in `storage` under `prefix`, and in memory too, so that forbidden or full storage loses nothing before a reload. */
export function createExtrasStore(storage: TextStorage, prefix: string): ExtrasStore {
  const memory = new Map<string, DraftExtras>()
  const stored = guardStorage(() => storage)
  const listeners = new Set<() => void>()
  const read = (chat: string): DraftExtras => {
    const known = memory.get(chat) ?? parseExtras(stored.read(prefix + chat))
    memory.set(chat, known)
    return known
  }
  return {
    read,
    change: (chat, next) => {
      const changed = next(read(chat))
      memory.set(chat, changed)
      stored.write(prefix + chat, isNothing(changed) ? null : JSON.stringify(changed))
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
