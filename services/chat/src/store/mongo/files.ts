import { outboxEntries, withoutOutbox } from '@parley/db/mongo'
import { type FileMeta, type FilePlace, type FileStore, filesAtOnce, type NewFile, ofUpload } from '../file-store.ts'
import { detachChats } from './detach-chats.ts'
import type { FileDocument } from './models.ts'
import type { MongoParts } from './turns.ts'
import { createMongoTotals } from './usage.ts'
import { insertOnce } from './writes.ts'

/** The metadata of a file, without its bytes. */
const metaOnly = { bytes: 0, thumb: 0, text: 0 } as const

/** The file store on MongoDB: a file is one document, its chats and its event included. */
export function createMongoFileStore({ models, database, outbox }: MongoParts): FileStore {
  const { chats, files } = models
  const totals = createMongoTotals(models)
  const findDigest: FileStore['findDigest'] = async (ownerId, sha256, { at, expiresAt }) => {
    const digestKey = keyOf(ownerId, sha256)
    const attached = { digestKey, 'chatIds.0': { $exists: true } }
    await files.updateOne(attached, { $addToSet: { chatIds: ofUpload }, $set: { attachedAt: at } })
    await files.updateOne({ digestKey, chatIds: { $size: 0 } }, { $max: { expiresAt } })
    const found = await files.findOne({ digestKey }, metaOnly).lean()
    return found === null ? undefined : toMeta(found)
  }
  const part = async (id: string, ownerId: string, name: 'bytes' | 'thumb' | 'text'): Promise<unknown> =>
    (await files.findOne({ _id: id, ownerId }, { [name]: 1 }).lean<Partial<FileDocument>>())?.[name]
  /** Takes chats off a file, unless another message took it meanwhile. */
  const takeOff = async (id: string, gone: readonly string[], now: Date): Promise<void> => {
    const found = await files.findById(id, { chatIds: 1 }).lean()
    if (found === null) return
    const change = detachChats(found.chatIds, gone, now)
    const { matchedCount } = await files.updateOne({ _id: id, chatIds: found.chatIds }, { $set: change })
    if (matchedCount === 0) await takeOff(id, gone, now)
  }
  return {
    async add(file, event) {
      const waiting = event && { outbox: outboxEntries([event]), outboxAt: await database.now() }
      if (await insertOnce(files, { ...toDocument(file), ...waiting })) {
        if (waiting !== undefined) outbox.written()
        await totals.add(file.ownerId, { bytes: file.size })
        return toMeta(toDocument(file))
      }
      // One that expired between the two questions leaves its place.
      const upload = { at: file.createdAt, expiresAt: file.expiresAt }
      return (await findDigest(file.ownerId, file.sha256, upload)) ?? (await this.add(file, event))
    },
    findDigest,
    async find(ids, ownerId) {
      return (await files.find({ _id: { $in: [...ids] }, ownerId }, metaOnly).lean()).map(toMeta)
    },
    async ofOwner(ownerId, after, limit) {
      // The index is over the key, which begins with the owner and a space; '!' comes next.
      const range = { $gt: keyOf(ownerId, after), $lt: `${ownerId}!` }
      return (await files.find({ ownerId, digestKey: range }, metaOnly).sort({ digestKey: 1 }).limit(limit).lean()).map(
        toMeta,
      )
    },
    async sent(ownerId, after, limit) {
      const listed = { ownerId, made: null, chatIds: { $ne: [] }, ...(after && behind(after)) }
      return (await files.find(listed, metaOnly).sort({ createdAt: -1, _id: -1 }).limit(limit).lean()).map(toMeta)
    },
    bytes: async (id, ownerId, size) => bytesOf(await part(id, ownerId, size === 'full' ? 'bytes' : 'thumb')),
    text: async (id, ownerId) => ((await part(id, ownerId, 'text')) ?? undefined) as string | undefined,
    async attach(chatId, ownerId, ids, at) {
      const { matchedCount } = await files.updateMany(
        { _id: { $in: [...ids] }, ownerId },
        { $addToSet: { chatIds: chatId }, $set: { attachedAt: at }, $unset: { expiresAt: '' } },
      )
      return matchedCount === ids.length
    },
    async confirm(before, now) {
      const due = { attachedAt: { $lt: before } }
      const found = await files.find(due, { chatIds: 1 }).sort({ attachedAt: 1 }).limit(filesAtOnce).lean()
      for (const { _id, chatIds } of found) {
        const there = new Set(await chats.distinct('_id', { _id: { $in: [...chatIds] } }))
        const gone = chatIds.filter((chatId) => !there.has(chatId))
        const change = { $set: detachChats(chatIds, gone, now), $unset: { attachedAt: '' } } as const
        // One that another message took meanwhile is due later.
        await files.updateOne({ _id, chatIds, ...due }, change)
      }
    },
    async release(before, now) {
      const due = { deletedAt: { $lt: before } }
      // By a clock that is behind one could be restored without its files.
      await chats.updateMany({ ...due, purging: { $exists: false } }, { $set: { purging: true } })
      // Of all of them: which ones the next purge takes depends on what other replicas purge, and a purged chat keeps its files for good.
      const removed = await chats.distinct('_id', { ...due, purging: true })
      for (let from = 0; from < removed.length; from += filesAtOnce) {
        const gone = removed.slice(from, from + filesAtOnce)
        const theirs = await files.find({ chatIds: { $in: gone } }, { _id: 1 }).lean()
        for (const { _id } of theirs) await takeOff(_id, gone, now)
      }
    },
    async purge(now) {
      // An event that is not published yet keeps its file.
      const expired = { expiresAt: { $lt: now }, ...withoutOutbox }
      const found = await files.find(expired, { ownerId: 1 }).sort({ expiresAt: 1 }).limit(filesAtOnce).lean()
      if (found.length === 0) return
      await files.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...expired })
      await totals.recountSoon(found.map(({ ownerId }) => ownerId))
    },
  }
}

/** The first condition bounds what of the index is read. */
const behind = ({ id, createdAt }: FilePlace) => ({
  createdAt: { $lte: createdAt },
  $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }],
})

/** Owner and digest in one value, so that one index makes both of them unique. */
const keyOf = (ownerId: string, sha256: string): string => `${ownerId} ${sha256}`

const toDocument = ({ id, bytes, thumb, ...file }: NewFile): FileDocument => ({
  _id: id,
  ...file,
  digestKey: keyOf(file.ownerId, file.sha256),
  bytes: Buffer.from(bytes),
  thumb: thumb && Buffer.from(thumb),
  chatIds: [],
})

const toMeta = (found: Omit<FileDocument, 'bytes' | 'thumb' | 'text'>): FileMeta => ({
  id: found._id,
  ownerId: found.ownerId,
  sha256: found.sha256,
  name: found.name,
  mimeType: found.mimeType,
  size: found.size,
  width: found.width,
  height: found.height,
  pages: found.pages,
  made: found.made,
  createdAt: found.createdAt,
})

/** The driver hands out its own kind of bytes. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined
  return value instanceof Uint8Array ? value : (value as { readonly buffer: Uint8Array }).buffer
}
