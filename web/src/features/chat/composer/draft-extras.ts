import type { Attachment, ChatMode } from '@parley/contracts'
import { guardStorage, parseStored, type TextStorage } from '../../../shared/session/index.ts'

/** What a draft has besides its text. */
export interface DraftExtras {
  /** Files that are already on the server. */
  readonly attachments: readonly Attachment[]
  readonly modes: readonly ChatMode[]
  /** Long pasted texts; each is sent as a block of the message. */
  readonly pasted: readonly string[]
  /** The text is an image prompt. */
  readonly image: boolean
}

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

/** Parses stored extras; users can change the storage, so unknown values are ignored. */
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

/** The extras of all chats' drafts, in `storage` under `prefix`, and in memory, so that without storage nothing is lost before a reload. */
export function createExtrasStore(storage: () => TextStorage, prefix: string) {
  const memory = new Map<string, DraftExtras>()
  const stored = guardStorage(storage)
  const listeners = new Set<() => void>()
  /** The same object until it changes. */
  const read = (chat: string): DraftExtras => {
    const known = memory.get(chat) ?? parseExtras(stored.read(prefix + chat))
    memory.set(chat, known)
    return known
  }
  return {
    read,
    change: (chat: string, next: (now: DraftExtras) => DraftExtras): void => {
      const changed = next(read(chat))
      memory.set(chat, changed)
      stored.write(prefix + chat, isNothing(changed) ? null : JSON.stringify(changed))
      for (const listener of listeners) listener()
    },
    /** Calls `listener` at each change; returns a function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type ExtrasStore = ReturnType<typeof createExtrasStore>

/** The changes that the composer makes to the extras of its draft. */
export function extrasActions(change: (next: (now: DraftExtras) => DraftExtras) => void) {
  return {
    toggleMode: (mode: ChatMode) =>
      change((now) => ({
        ...now,
        image: false,
        modes: now.modes.includes(mode) ? now.modes.filter((one) => one !== mode) : [...now.modes, mode],
      })),
    setImage: (image: boolean) => change((now) => ({ ...now, image })),
    removeAttachment: ({ id }: Attachment) =>
      change((now) => ({ ...now, attachments: now.attachments.filter((one) => one.id !== id) })),
    attach: (attachments: readonly Attachment[], modes: readonly ChatMode[]) =>
      change((now) => ({ ...now, attachments: [...attachments, ...now.attachments], modes })),
    addPasted: (text: string) => change((now) => ({ ...now, pasted: [...now.pasted, text] })),
    removePasted: (index: number) => change((now) => ({ ...now, pasted: now.pasted.filter((_, at) => at !== index) })),
  }
}
