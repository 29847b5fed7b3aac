import { withoutOutbox } from '@parley/db/mongo'
import { newId } from '@parley/kit'
import { type ChatStore, mostListed, purgedAtOnce } from '../chat-store.ts'
import type { Chat } from '../entities.ts'
import { purgedAnswer } from '../send-store.ts'
import { bytesOf, toPlacedDocument } from './documents.ts'
import type { ChatDocument } from './models.ts'
import { type MongoParts, toChatDocument } from './turns.ts'
import { createMongoTotals } from './usage.ts'
import { deleteAll, insertNew, insertOnce } from './writes.ts'

const addedAtOnce = 500
/** Milliseconds after which a purge is taken for dead, and another one deletes its chats. */
const purgeMs = 60_000
const withoutTurn = { turn: 0 } as const
const inOrder = { updatedAt: -1, _id: -1 } as const

/** The chat store on MongoDB. */
export function createMongoChatStore({ models, turns }: MongoParts): ChatStore {
  const { chats, messages, segments, sends } = models
  const totals = createMongoTotals(models)
  const shown = (ownerId: string) => ({ ownerId, deletedAt: null })
  return {
    async add(chat, added = []) {
      if ((await chats.exists({ _id: chat.id })) !== null) return false
      for (let from = 0; from < added.length; from += addedAtOnce) {
        await insertNew(
          messages,
          added.slice(from, from + addedAtOnce).map((each) => toPlacedDocument(each, chat.ownerId)),
        )
      }
      // The chat goes last: without it its messages are nowhere, and another try finds those that are there.
      if (!(await insertOnce(chats, toChatDocument(chat)))) return false
      await totals.add(chat.ownerId, { chats: 1, bytes: added.reduce((sum, message) => sum + bytesOf(message), 0) })
      return true
    },
    async find(chatId, ownerId) {
      const found = await chats.findOne({ _id: chatId, ...shown(ownerId) }, withoutTurn).lean()
      return found === null ? undefined : toChat(found)
    },
    async list(ownerId, { limit = mostListed, after, pinned, archived = false } = {}) {
      const listed = {
        ...shown(ownerId),
        archived: archived || null,
        ...(pinned !== undefined && { pinned }),
        ...(after && behind(after)),
      }
      return (await chats.find(listed, withoutTurn).sort(inOrder).limit(limit).lean()).map(toChat)
    },
    async titles(ownerId) {
      const found = await chats.find(shown(ownerId), { title: 1, archived: 1 }).sort(inOrder).lean()
      return found.map(({ _id: id, title, archived }) => ({ id, title, ...(archived && { archived }) }))
    },
    async findMany(ownerId, ids) {
      const those = { _id: { $in: [...ids] }, ...shown(ownerId) }
      return (await chats.find(those, withoutTurn).sort(inOrder).lean()).map(toChat)
    },
    async change(chatId, ownerId, change) {
      const { matchedCount } = await chats.updateOne({ _id: chatId, ...shown(ownerId) }, { $set: change })
      return matchedCount > 0
    },
    async retitle(chatId, ownerId, { from, to }) {
      const untouched = { _id: chatId, ...shown(ownerId), title: from }
      const changed = { returnDocument: 'after', projection: withoutTurn } as const
      const after = await chats.findOneAndUpdate(untouched, { $set: { title: to } }, changed).lean()
      return after === null ? undefined : toChat(after)
    },
    async noteMessages(chatId, model, at) {
      const noted = { $set: { modelUsed: model }, $max: { updatedAt: at }, $unset: { archived: '' as const } }
      const after = await chats
        .findOneAndUpdate({ _id: chatId }, noted, { returnDocument: 'after', projection: withoutTurn })
        .lean()
      return after === null || after.deletedAt !== null ? undefined : toChat(after)
    },
    async archive(ownerId, ids, archived) {
      const those = { _id: { $in: [...ids] }, ...shown(ownerId) }
      await chats.updateMany(those, archived ? { $set: { archived } } : { $unset: { archived: '' } })
      return (await chats.find(those, withoutTurn).lean()).map(toChat)
    },
    async remove(ownerId, selection, at) {
      const removal = newId()
      const selected = selection === 'all' ? {} : { _id: { $in: [...selection] } }
      await chats.updateMany({ ...shown(ownerId), ...selected }, { $set: { deletedAt: at, removal } })
      const hidden = await chats.find({ ownerId, removal }, { _id: 1 }).lean()
      await totals.add(ownerId, { chats: -hidden.length })
      return hidden.map(({ _id }) => _id)
    },
    async restore(chatId, ownerId, since) {
      const { matchedCount } = await chats.updateOne(
        { _id: chatId, ownerId, deletedAt: { $gte: since }, purging: { $exists: false } },
        { $set: { deletedAt: null }, $unset: { removal: '' } },
      )
      await totals.add(ownerId, { chats: matchedCount })
      return matchedCount > 0
    },
    async purge(before) {
      const isFree = { $or: [{ purge: { $exists: false } }, { 'purge.until': { $lt: before } }] }
      const removed = { deletedAt: { $lt: before }, ...isFree }
      const found = await chats.find(removed, { ownerId: 1 }).sort({ deletedAt: 1 }).limit(purgedAtOnce).lean()
      const those = { $in: found.map(({ _id }) => _id) }
      const purge = { id: newId(), until: new Date(before.getTime() + purgeMs) }
      await chats.updateMany({ _id: those, ...removed }, { $set: { purging: true, purge } })
      const own = { _id: those, 'purge.id': purge.id }
      await turns.complete(own)
      const purged = await chats.distinct('_id', own)
      const owners = found.map(({ ownerId }) => ownerId)
      await sends.updateMany(
        { ownerId: { $in: owners }, chatId: { $in: purged } },
        { $set: { messageId: purgedAnswer } },
      )
      // An event that is not published yet keeps its answer.
      const done = { status: { $ne: 'generating' as const }, ...withoutOutbox }
      await deleteAll(messages, { chatId: { $in: purged }, ...done })
      await deleteAll(segments, { chatId: { $in: purged } })
      // The chat goes last: what a crash leaves behind is found again through it.
      const left = new Set(await messages.distinct('chatId', { chatId: { $in: purged } }))
      await chats.deleteMany({ ...own, _id: { $in: purged.filter((id) => !left.has(id)) } })
      await chats.updateMany(own, { $unset: { purge: '' } })
      await totals.recountSoon(owners)
    },
  }
}

/** The first condition bounds what of the index is read. */
const behind = ({ id, updatedAt }: Pick<Chat, 'id' | 'updatedAt'>) => ({
  updatedAt: { $lte: updatedAt },
  $or: [{ updatedAt: { $lt: updatedAt } }, { _id: { $lt: id } }],
})

const toChat = (document: ChatDocument): Chat => ({
  id: document._id,
  ownerId: document.ownerId,
  title: document.title,
  modelUsed: document.modelUsed,
  pinned: document.pinned,
  ...(document.archived === true && { archived: true }),
  ...(document.memoryOff === true && { memoryOff: true }),
  messageCount: document.messageCount,
  leafId: document.leafId ?? null,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
})
