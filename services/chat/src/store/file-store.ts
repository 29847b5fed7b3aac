import type { Event } from '@parley/contracts'

/** The metadata of a stored file. */
export interface FileMeta {
  readonly id: string
  readonly ownerId: string
  /** Digest of the bytes as they were sent, before processing. */
  readonly sha256: string
  /** The name for display; no path is ever made of it. */
  readonly name: string
  readonly mimeType: 'image/png' | 'image/jpeg' | 'application/pdf'
  /** Bytes as stored. */
  readonly size: number
  /** Pixels of an image; null for a PDF. */
  readonly width: number | null
  readonly height: number | null
  /** For a PDF; null for an image. */
  readonly pages: number | null
  /** For an image that a model made: the model and its price in credits; else null. */
  readonly made: { readonly model: string; readonly credits: number } | null
  readonly createdAt: Date
}

/** A file to be kept: the image or PDF itself, a small WebP picture of an image, the text of a PDF. */
export interface NewFile extends FileMeta {
  readonly bytes: Uint8Array
  readonly thumb: Uint8Array | null
  readonly text: string | null
  /** When it is forgotten unless it is attached to a chat. */
  readonly expiresAt: Date
}

/** A file's position in its owner's list. */
export type FilePlace = Pick<FileMeta, 'id' | 'createdAt'>

/** The stored content of a file: its bytes, and what was extracted from them. */
export type ProcessedFile = Pick<NewFile, 'mimeType' | 'bytes' | 'thumb' | 'text' | 'width' | 'height' | 'pages'>

/** When a file was uploaded, and when it is forgotten unless it is attached to a chat. */
export interface Upload {
  readonly at: Date
  readonly expiresAt: Date
}

/** In place of a chat: the upload of a file that chats have already. It keeps the file, should they be removed before it is sent again, until `confirm` finds no such chat. */
export const ofUpload = 'upload'

/** The most files that `confirm` and `purge` change at once. */
export const filesAtOnce = 100

/**
 * Files of users, each one document or row. Every act is atomic and on disk when it resolves. A file of another owner is as if it did not exist.
 * An owner's file is kept once, however often it is sent.
 */
export interface FileStore {
  /**
   * Stores a file, unless its owner has one with this digest, which is kept instead as by `findDigest`. Resolves to the stored one.
   * @param event published if and only if this file is stored, which it may outlive
   */
  add(file: NewFile, event?: Event): Promise<FileMeta>
  /**
   * The file with this digest, which was uploaded again: its expiry is put off, or, if it is attached, it outlives its chats until `confirm` looks at it.
   * Undefined when there is none.
   */
  findDigest(ownerId: string, sha256: string, upload: Upload): Promise<FileMeta | undefined>
  /** The files with these ids that exist, in any order. */
  find(ids: readonly string[], ownerId: string): Promise<readonly FileMeta[]>
  /** An owner's files, ordered by digest, after the digest `after`; from the first for ''. At most `limit`. */
  ofOwner(ownerId: string, after: string, limit: number): Promise<readonly FileMeta[]>
  /** An owner's files that were sent with messages, without images made by models: the newest first, after `after`. At most `limit`. */
  sent(ownerId: string, after: FilePlace | undefined, limit: number): Promise<readonly FileMeta[]>
  /** The bytes of the file, or of its small picture. Undefined when there is no such file or no such picture. */
  bytes(id: string, ownerId: string, part: 'full' | 'thumb'): Promise<Uint8Array | undefined>
  /** The text of a PDF; undefined when there is no such file or it has none. */
  text(id: string, ownerId: string): Promise<string | undefined>
  /** Keeps files for as long as the chat exists, which may be about to be created. Resolves to false when any of them is missing; the others are kept. */
  attach(chatId: string, ownerId: string, ids: readonly string[], at: Date): Promise<boolean>
  /** Detaches chats that never came to exist from files last attached before `before`; a file left without a chat expires at `now`. At most `filesAtOnce`. */
  confirm(before: Date, now: Date): Promise<void>
  /** Detaches files from chats that were removed before `before`, which cannot be restored from then on; a file left without a chat expires at `now`. */
  release(before: Date, now: Date): Promise<void>
  /** Deletes files that expired before `now`. At most `filesAtOnce`. */
  purge(now: Date): Promise<void>
}
