import type { Attachment } from '@parley/contracts'
import { createStore } from 'zustand/vanilla'
import type { ExtrasStore } from '../draft-extras.ts'

/** A file that is being uploaded, or whose upload failed. */
export interface Upload {
  readonly key: string
  /** The draft it belongs to. */
  readonly chat: string
  readonly file: File
  /** The files of a draft are sent in the order in which they were added. */
  readonly turn: number
  /** From 0 to 1. */
  readonly progress: number
  /** Why it failed, in the server's words or empty; null while it is uploading. */
  readonly failure: string | null
}

interface UploadDeps {
  /** Uploads a file; rejects with AbortError when `signal` aborts. */
  readonly send: (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<Attachment>
  readonly extras: ExtrasStore
  readonly createKey: () => string
  readonly wordsOf: (error: unknown) => string
  /** An object URL of a file. */
  readonly addressOf: (file: File) => string
  /** Revokes an object URL, which keeps its file in memory. */
  readonly release: (address: string) => void
}

/** The previews that are kept; others are loaded from the server. More than a draft has. */
const mostPreviews = 20

/** The uploads of all drafts. Each file is added to the draft it belongs to, whichever chat is shown by then. */
export function createUploadStore(deps: UploadDeps) {
  const { send, extras, createKey, wordsOf, addressOf, release } = deps
  const store = createStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }))
  const running = new Map<string, AbortController>()
  const previews = new Map<string, string>()
  /** The turn of each attachment, by id. */
  const turns = new Map<string, number>()
  let turnsTaken = 0
  const change = (key: string, patch: Partial<Upload>) =>
    store.setState(({ uploads }) => ({ uploads: uploads.map((one) => (one.key === key ? { ...one, ...patch } : one)) }))
  const drop = (key: string) => {
    running.delete(key)
    store.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.key !== key) }))
  }
  const keepPreview = (id: string, file: File) => {
    previews.set(id, addressOf(file))
    const [oldest] = previews
    if (previews.size <= mostPreviews || oldest === undefined) return
    previews.delete(oldest[0])
    release(oldest[1])
  }
  const find = (key: string) => store.getState().uploads.find((one) => one.key === key)
  const start = async (key: string, file: File, turn: number): Promise<void> => {
    const own = new AbortController()
    running.set(key, own)
    try {
      const attachment = await send(file, (progress) => change(key, { progress }), own.signal)
      const { chat } = find(key) ?? {}
      if (chat === undefined) return
      if (attachment.type === 'image') keepPreview(attachment.id, file)
      drop(key)
      turns.set(attachment.id, turn)
      extras.change(chat, (now) => {
        const next = now.attachments.findIndex(({ id }) => (turns.get(id) ?? 0) > turn)
        return {
          ...now,
          attachments: now.attachments.toSpliced(next < 0 ? now.attachments.length : next, 0, attachment),
        }
      })
    } catch (error) {
      change(key, { failure: wordsOf(error) })
    }
  }
  return {
    store,
    add: (chat: string, file: File): void => {
      const key = createKey()
      turnsTaken += 1
      const turn = turnsTaken
      store.setState(({ uploads }) => ({
        uploads: [...uploads, { key, chat, file, turn, progress: 0, failure: null }],
      }))
      void start(key, file, turn)
    },
    retry: (key: string): void => {
      const upload = find(key)
      if (upload?.failure == null) return
      change(key, { failure: null, progress: 0 })
      void start(key, upload.file, upload.turn)
    },
    /** Cancels an upload, or removes a failed one. */
    remove: (key: string): void => {
      running.get(key)?.abort()
      drop(key)
    },
    /** Moves the uploads of the draft `from` to that of the chat `to`. */
    move: (from: string, to: string): void =>
      store.setState(({ uploads }) => ({
        uploads: uploads.map((one) => (one.chat === from ? { ...one, chat: to } : one)),
      })),
    /** The URL of a preview of an attachment that was uploaded from this page lately. */
    preview: (attachmentId: string): string | undefined => previews.get(attachmentId),
  }
}
