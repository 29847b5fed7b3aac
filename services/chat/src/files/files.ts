import { createHash } from 'node:crypto'
import type { Attachment, AttachmentInput, Event } from '@parley/contracts'
import { notFound } from '@parley/kit'
import type { PageFetcher } from '@parley/kit/egress'
import type { Common } from '../common.ts'
import type { Quota } from '../storage/quota.ts'
import type { FileMeta } from '../store/file-store.ts'
import { presentAttachment } from './attachment.ts'
import {
  type FileModel,
  goneFile,
  refuseTooLarge,
  refuseTooMuch,
  refuseUnreadable,
  unsupportedFile,
} from './attachment-rules.ts'
import { cleanFileName } from './file-name.ts'
import type { FilePool } from './file-pool.ts'
import { type NamedBytes, readInput } from './input-bytes.ts'
import { partsOf } from './prompt-parts.ts'

/** The files of users: checked by their content, made harmless, kept for their owner alone. */
export type Files = ReturnType<typeof createFiles>

/** A file that may be read. */
export interface OpenFile {
  readonly name: string
  readonly mimeType: FileMeta['mimeType'] | 'image/webp'
  /** Bytes of the whole file. */
  readonly size: number
  /** @throws AppError not_found when it has no small picture */
  bytes(): Promise<Uint8Array>
}

export interface FilesDeps extends Pick<Common, 'stores' | 'now' | 'newId'> {
  readonly pool: FilePool
  readonly pages: PageFetcher
  readonly quota: Quota
}

/** An upload that was not sent is forgotten after this many milliseconds. */
const unsentMs = 24 * 60 * 60 * 1000
/** And an image that was made, and paid for, without a chat after these. */
const generatedImageMs = 30 * unsentMs

/** Files over a store, processed in a pool. */
export function createFiles({ stores, pool, pages, quota, now, newId }: FilesDeps) {
  const { files } = stores
  const keep = async (ownerId: string, { name, bytes }: NamedBytes): Promise<FileMeta> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const at = now()
    const expiresAt = new Date(at.getTime() + unsentMs)
    const existing = await files.findDigest(ownerId, sha256, { at, expiresAt })
    if (existing !== undefined) return existing
    await quota.refuseBytes(ownerId, bytes.byteLength)
    const processed = await pool.process(bytes, name)
    const identity = { id: newId(), ownerId, sha256, name, made: null, createdAt: now(), expiresAt }
    return await files.add({ ...identity, ...processed, size: processed.bytes.byteLength })
  }
  const take = async (ownerId: string, input: AttachmentInput): Promise<Attachment> => {
    const read = await readInput(pages, input)
    const name = 'id' in read ? input.name && cleanFileName(input.name) : read.name
    const meta = 'id' in read ? (await files.find([read.id], ownerId))[0] : await keep(ownerId, read)
    if (meta === undefined) throw goneFile(name)
    return presentAttachment(meta, { ...input, name: name || meta.name })
  }
  return {
    /**
     * Takes what a sender attaches: every part is read, checked and kept.
     * @throws AppError validation_failed for an address that cannot be fetched, payload_too_large, also when the account has no room for
     *   it, unsupported_media by the name of the file, not_found for an id that is not this owner's, unavailable when too much is being read
     */
    async readAttachments(ownerId: string, inputs: readonly AttachmentInput[], model: FileModel) {
      refuseTooMuch(inputs)
      const taken: Attachment[] = []
      // One after another: ten at once would hold the memory of all of them.
      for (const input of inputs) {
        const attachment = await take(ownerId, input)
        refuseUnreadable(attachment, model)
        taken.push(attachment)
      }
      refuseTooLarge(taken)
      return taken
    },
    /** Keeps the attachments for as long as the chat exists. Call it before storing a message with them. @throws AppError not_found when one is gone */
    async attach(ownerId: string, chatId: string, attachments: readonly Attachment[]): Promise<void> {
      const ids = [...new Set(attachments.map(({ id }) => id))]
      if (ids.length > 0 && !(await files.attach(chatId, ownerId, ids, now()))) throw goneFile(undefined)
    },
    /** The attachments in the form this model can read; one it cannot read is described in words. */
    attachmentParts: (ownerId: string, attachments: readonly Attachment[], model: FileModel) =>
      partsOf(files, ownerId, attachments, model),
    /** Takes one file. @throws AppError as `readAttachments` */
    async upload(ownerId: string, { name, bytes }: NamedBytes): Promise<Attachment> {
      const clean = cleanFileName(name)
      return presentAttachment(await keep(ownerId, { name: clean, bytes }), { name: clean })
    },
    /**
     * Keeps an image that a model made under an id of its own, together with the event of its end; a repeat changes nothing.
     * @param made the model and its price
     * @throws AppError unsupported_media when it is none
     */
    async addMade(ownerId: string, id: string, image: Uint8Array, made: FileMeta['made'] & {}, event: Event) {
      const processed = await pool.process(image, 'image')
      if (processed.mimeType === 'application/pdf') throw unsupportedFile('image')
      const name = processed.mimeType === 'image/png' ? 'image.png' : 'image.jpg'
      // Two images are two, even if they look the same: each was paid for.
      const sha256 = createHash('sha256').update(`made ${id}`).digest('hex')
      const at = now()
      const kept = { ownerId, sha256, createdAt: at, expiresAt: new Date(at.getTime() + generatedImageMs) }
      const size = processed.bytes.byteLength
      const file = { id, name, made, ...kept, ...processed, size }
      // A failed write may have been stored nonetheless, with an event that charges for it: then a repeat finds it.
      return await files.add(file, event).catch(() => files.add(file, event))
    },
    /** The image that was made under this id, if it was. */
    async findMade(ownerId: string, id: string): Promise<FileMeta | undefined> {
      return (await files.find([id], ownerId)).find(({ made }) => made !== null)
    },
    /** A file of this owner, whole or as a small picture. @throws AppError not_found */
    async read(ownerId: string, id: string, size: 'full' | 'thumb'): Promise<OpenFile> {
      const [meta] = await files.find([id], ownerId)
      if (meta === undefined) throw notFound()
      return {
        name: meta.name,
        mimeType: size === 'thumb' ? 'image/webp' : meta.mimeType,
        size: meta.size,
        async bytes() {
          const bytes = await files.bytes(id, ownerId, size)
          if (bytes === undefined) throw notFound()
          return bytes
        },
      }
    },
  }
}
