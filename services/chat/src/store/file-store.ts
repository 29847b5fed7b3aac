/** What is known of a stored file. */
export interface FileMeta {
  readonly id: string
  readonly ownerId: string
  /** Of what was sent, before it was processed. */
  readonly sha256: string
  /** As it is shown; nothing is ever opened by it. */
  readonly name: string
  readonly mimeType: 'image/png' | 'image/jpeg' | 'application/pdf'
  /** Bytes as stored. */
  readonly size: number
  /** Pixels of an image; null for a PDF. */
  readonly width: number | null
  readonly height: number | null
  /** Of a PDF; null for an image. */
  readonly pages: number | null
  /** Of an image that a model made: which one, and the credits that it cost; else null. */
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

/** Where a file stands in the list of its owner's. */
export type FilePlace = Pick<FileMeta, 'id' | 'createdAt'>

/** What is kept of a file beside where it came from: itself, and what was found in it. */
export type ProcessedFile = Pick<NewFile, 'mimeType' | 'bytes' | 'thumb' | 'text' | 'width' | 'height' | 'pages'>

/**
 * Files of users, each one document or row. Every act is atomic and on disk when it resolves. A file of another owner is as if it did not exist.
 * An owner's file is kept once, however often it is sent.
 */
export interface FileStore {
  /** Keeps a file, unless its owner has one with this digest, whose expiry is put off then. Resolves to the one that stands. */
  add(file: NewFile): Promise<FileMeta>
  /** The file with this digest, its expiry put off to `expiresAt` unless it is attached. Undefined when there is none. */
  findDigest(ownerId: string, sha256: string, expiresAt: Date): Promise<FileMeta | undefined>
  /** Those of the ids that there are, in any order. */
  find(ids: readonly string[], ownerId: string): Promise<readonly FileMeta[]>
  /** An owner's files in one order, those behind the digest `after`; the first for ''. At most `limit`. */
  ofOwner(ownerId: string, after: string, limit: number): Promise<readonly FileMeta[]>
  /** An owner's files that were sent with messages, and no image that a model made: the newest first, those behind `after`. At most `limit`. */
  sent(ownerId: string, after: FilePlace | undefined, limit: number): Promise<readonly FileMeta[]>
  /** The bytes of the file, or of its small picture. Undefined when there is no such file or no such picture. */
  bytes(id: string, ownerId: string, part: 'full' | 'thumb'): Promise<Uint8Array | undefined>
  /** The text of a PDF; undefined when there is no such file or it has none. */
  text(id: string, ownerId: string): Promise<string | undefined>
  /** Keeps files for as long as the chat is there, which may be about to be made. Resolves to false when any of them is missing; the others are kept. */
  attach(chatId: string, ownerId: string, ids: readonly string[], at: Date): Promise<boolean>
  /** Takes chats that never came to be off the files last attached before `before`: what no other chat has expires at `now`. At most 100 at a time. */
  confirm(before: Date, now: Date): Promise<void>
  /** Lets go of the files of chats that were removed before `before`: what no other chat has expires at `now`. */
  release(before: Date, now: Date): Promise<void>
  /** Deletes files that expired before `now`. At most 100 at a time. */
  purge(now: Date): Promise<void>
}
