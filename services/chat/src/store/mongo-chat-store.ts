import { newId } from '@parley/kit'
import type { QueryFilter } from 'mongoose'
import type { ChatStore } from './chat-store.ts'
import type { Chat } from './documents.ts'
import type { ChatDocument, ChatModels } from './mongo-models.ts'
import { type MongoTurns, toChatDocument } from './mongo-turns.ts'
import { deleteAll, insertOnce } from './mongo-writes.ts'

const purgedAtOnce = 100
const withoutTurn = { turn: 0 } as const

/** The chat store on MongoDB. */
export function createMongoChatStore(models: Pick<ChatModels, 'chats' | 'messages'>, turns: MongoTurns): ChatStore {
  const { chats, messages } = models
  const shown = (ownerId: string) => ({ ownerId, deletedAt: null })
  const noteMessages: ChatStore['noteMessages'] = async (chatId, model, at) => {
    const chat = await chats.findById(chatId, { turns: 1, updatedAt: 1 }).lean()
    if (chat === null) return
    const messageCount = await messages.countDocuments({ chatId })
    const updatedAt = new Date(Math.max(at.getTime(), chat.updatedAt.getTime()))
    const unchanged = { _id: chatId, turns: chat.turns, updatedAt: chat.updatedAt }
    const { matchedCount } = await chats.updateOne(unchanged, { $set: { modelUsed: model, updatedAt, messageCount } })
    // Others wrote meanwhile: theirs has to be counted too.
    if (matchedCount === 0) await noteMessages(chatId, model, at)
  }
  return {
    async add(chat) {
      await insertOnce(chats, toChatDocument(chat))
    },
    async find(chatId, ownerId) {
      const found = await chats.findOne({ _id: chatId, ...shown(ownerId) }, withoutTurn).lean()
      return found === null ? undefined : toChat(found)
    },
    async list(ownerId, words) {
      const wanted = words === undefined ? {} : await containing(models, ownerId, words)
      const found = await chats
        .find({ ...shown(ownerId), ...wanted }, withoutTurn)
        .sort({ updatedAt: -1, _id: -1 })
        .lean()
      return found.map(toChat)
    },
    async change(chatId, ownerId, change) {
      const { matchedCount } = await chats.updateOne({ _id: chatId, ...shown(ownerId) }, { $set: change })
      return matchedCount > 0
    },
    noteMessages,
    async remove(ownerId, selection, at) {
      const removal = newId()
      const selected = selection === 'all' ? {} : { _id: { $in: [...selection] } }
      await chats.updateMany({ ...shown(ownerId), ...selected }, { $set: { deletedAt: at, removal } })
      const hidden = await chats.find({ ownerId, removal }, { _id: 1 }).lean()
      return hidden.map(({ _id }) => _id)
    },
    async restore(chatId, ownerId, since) {
      const { matchedCount } = await chats.updateOne(
        { _id: chatId, ownerId, deletedAt: { $gte: since }, purging: { $exists: false } },
        { $set: { deletedAt: null }, $unset: { removal: '' } },
      )
      return matchedCount > 0
    },
    async purge(before) {
      const removed = { deletedAt: { $lt: before } }
      const found = await chats.find(removed, { _id: 1 }).sort({ deletedAt: 1 }).limit(purgedAtOnce).lean()
      const those = { $in: found.map(({ _id }) => _id) }
      await chats.updateMany({ _id: those, ...removed }, { $set: { purging: true } })
      await turns.complete({ _id: those })
      const purged = await chats.distinct('_id', { _id: those, purging: true })
      // An event that is not published yet keeps its answer.
      const done = { status: { $ne: 'generating' as const }, outboxAt: { $exists: false } }
      await deleteAll(messages, { chatId: { $in: purged }, ...done })
      // The chat goes last: what a crash leaves behind is found again through it.
      const left = new Set(await messages.distinct('chatId', { chatId: { $in: purged } }))
      await chats.deleteMany({ _id: { $in: purged.filter((id) => !left.has(id)) } })
    },
  }
}

/** The words are meant literally, and no pattern may hold a zero byte. */
async function containing(
  { chats, messages }: Pick<ChatModels, 'chats' | 'messages'>,
  ownerId: string,
  words: string,
): Promise<QueryFilter<ChatDocument>> {
  const escaped = words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00')
  const pattern = { $regex: escaped, $options: 'i' }
  const own = await chats.distinct('_id', { ownerId, deletedAt: null })
  const saying = await messages.distinct('chatId', { chatId: { $in: own }, content: pattern })
  return { $or: [{ title: pattern }, { _id: { $in: saying } }] }
}

const toChat = (document: ChatDocument): Chat => ({
  id: document._id,
  ownerId: document.ownerId,
  title: document.title,
  modelUsed: document.modelUsed,
  pinned: document.pinned,
  messageCount: document.messageCount,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
})
