import { type MongoStep, outboxIndexes } from '@parley/db/mongo'
import { mongoDocumentsStep } from '@parley/documents/mongo'
import { guestBuckets } from '../guest-store.ts'

interface Index {
  readonly name: string
  readonly key: Readonly<Record<string, 1 | -1>>
  readonly unique?: true
  readonly sparse?: true
}

const firstIndexes: Readonly<Record<string, readonly Index[]>> = {
  chats: [
    { name: 'chats_of_owner', key: { ownerId: 1, updatedAt: -1, _id: -1 } },
    { name: 'chats_removal', key: { removal: 1 }, sparse: true },
    { name: 'chats_deleted', key: { deletedAt: 1 } },
    { name: 'chats_turn', key: { 'turn.answer._id': 1 }, sparse: true },
    { name: 'chats_turn_lease', key: { 'turn.answer.leaseUntil': 1 }, sparse: true },
  ],
  messages: [
    { name: 'messages_of_chat', key: { chatId: 1, createdAt: -1, _id: -1 } },
    { name: 'messages_versions', key: { chatId: 1, parentId: 1 } },
    { name: 'messages_in_work', key: { chatId: 1, status: 1 } },
    { name: 'messages_of_owner', key: { ownerId: 1, status: 1 } },
    { name: 'messages_leased', key: { leaseUntil: 1 }, sparse: true },
    { name: 'messages_settlement', key: { settlementOpen: 1 }, sparse: true },
    { name: 'messages_expiring', key: { expiresAt: 1 }, sparse: true },
    ...outboxIndexes,
  ],
  // A sparse index holds what has one of its fields, so an owner beside the key would make every send one without a key.
  sends: [
    { name: 'sends_client_key', key: { clientKey: 1 }, unique: true, sparse: true },
    { name: 'sends_idempotency_key', key: { idempotencyOwnerKey: 1 }, unique: true, sparse: true },
    { name: 'sends_by_age', key: { createdAt: 1 } },
  ],
  guest_buckets: [{ name: 'guest_buckets_by_age', key: { windowStart: 1 } }],
}

const fileIndexes: Readonly<Record<string, readonly Index[]>> = {
  files: [
    { name: 'files_digest', key: { digestKey: 1 }, unique: true },
    { name: 'files_of_chats', key: { chatIds: 1 } },
    { name: 'files_expiring', key: { expiresAt: 1 }, sparse: true },
  ],
}

/** In the order of the list: for all chats, and for pinned ones or the others. */
const listIndexes: Readonly<Record<string, readonly Index[]>> = {
  chats: [
    { name: 'chats_listed', key: { ownerId: 1, deletedAt: 1, updatedAt: -1, _id: -1 } },
    { name: 'chats_listed_pinned', key: { ownerId: 1, deletedAt: 1, pinned: 1, updatedAt: -1, _id: -1 } },
  ],
}

/** An owner's files that were sent with messages, in the order of their list, and those whose chats are still to be looked for. */
const listedFileIndexes: Readonly<Record<string, readonly Index[]>> = {
  files: [
    { name: 'files_listed', key: { ownerId: 1, made: 1, createdAt: -1, _id: -1 } },
    { name: 'files_attached', key: { attachedAt: 1 }, sparse: true },
  ],
}

/** The same of those that are archived or not. */
const archiveIndexes: Readonly<Record<string, readonly Index[]>> = {
  chats: [
    { name: 'chats_archived', key: { ownerId: 1, archived: 1, deletedAt: 1, updatedAt: -1, _id: -1 } },
    {
      name: 'chats_archived_pinned',
      key: { ownerId: 1, archived: 1, deletedAt: 1, pinned: 1, updatedAt: -1, _id: -1 },
    },
  ],
}

/** Finds an answer that was continued by its generations. */
const continuedIndexes: Readonly<Record<string, readonly Index[]>> = {
  messages: [
    { name: 'messages_continued', key: { 'continued.id': 1 }, sparse: true },
    { name: 'messages_continued_earlier', key: { 'continued.earlier.id': 1 }, sparse: true },
  ],
  chats: [{ name: 'chats_turn_continued', key: { 'turn.answer.continued.id': 1 }, sparse: true }],
}

/** Over what totals are counted from, so that no document has to be read for it. */
const usageIndexes: Readonly<Record<string, readonly Index[]>> = {
  owner_usage: [{ name: 'owner_usage_recounts', key: { recountAt: 1 }, sparse: true }],
  messages: [{ name: 'messages_bytes', key: { ownerId: 1, bytes: 1 } }],
  files: [{ name: 'files_bytes', key: { ownerId: 1, size: 1 } }],
}

const makeIndexes =
  (all: Readonly<Record<string, readonly Index[]>>): MongoStep['run'] =>
  async ({ collection }) => {
    for (const [name, indexes] of Object.entries(all)) {
      const documents = await collection(name)
      await documents.createIndexes(indexes.map((index) => ({ ...index })))
    }
  }

const searchIndexes: Readonly<Record<string, readonly Index[]>> = {
  messages: [{ name: 'messages_to_search', key: { toSearch: 1 }, sparse: true }],
  search_segments: [
    { name: 'search_segments_of_chat', key: { chatId: 1 } },
    { name: 'search_segments_grams', key: { grams: 1 } },
  ],
}

/** For finding what an erased owner has. */
const ownerIndexes: Readonly<Record<string, readonly Index[]>> = {
  search_segments: [{ name: 'search_segments_of_owner', key: { ownerId: 1 } }],
  sends: [{ name: 'sends_of_owner', key: { ownerId: 1 } }],
  files: [{ name: 'files_of_owner', key: { ownerId: 1 } }],
}

/** Existing messages are to be put into segments. */
const queueForSearch: MongoStep['run'] = async (database) => {
  await makeIndexes(searchIndexes)(database)
  const messages = await database.collection('messages')
  const waiting = { toSearch: { $exists: false }, guest: null }
  for (const ownerId of await messages.distinct('ownerId', waiting)) {
    await messages.updateMany({ ...waiting, ownerId }, { $set: { toSearch: ownerId } })
  }
  // A turn that is still within its chat is put among the messages as it is.
  const chats = await database.collection('chats')
  for (const part of ['question', 'answer']) {
    const inChat = { [`turn.${part}._id`]: { $exists: true }, [`turn.${part}.toSearch`]: { $exists: false } }
    for (const ownerId of await chats.distinct('ownerId', inChat)) {
      await chats.updateMany({ ...inChat, ownerId }, { $set: { [`turn.${part}.toSearch`]: ownerId } })
    }
  }
}

const shownAtOnce = 500

/** In a chat without one, the message written last is the last one shown. */
const nameShownMessages: MongoStep['run'] = async ({ collection }) => {
  const [chats, messages] = [await collection('chats'), await collection('messages')]
  for (;;) {
    const found = await chats
      .find({ leafId: { $exists: false } }, { projection: { _id: 1, turn: 1 } })
      .limit(shownAtOnce)
      .toArray()
    for (const { _id, turn } of found) {
      const newest =
        turn?.answer ??
        (await messages
          .find({ chatId: String(_id) })
          .sort({ createdAt: -1, _id: -1 })
          .limit(1)
          .next())
      await chats.updateOne({ _id }, { $set: { leafId: newest?._id ?? null } })
    }
    if (found.length < shownAtOnce) return
  }
}

const showAndSearch: MongoStep['run'] = async (database) => {
  await nameShownMessages(database)
  await queueForSearch(database)
}

/** Existing data is counted per owner in the background. */
const countOwners: MongoStep['run'] = async (database) => {
  await makeIndexes(usageIndexes)(database)
  const usage = await database.collection('owner_usage')
  const recountAt = new Date(0)
  for (const name of ['chats', 'files']) {
    const owned = await database.collection(name)
    for (const ownerId of await owned.distinct('ownerId')) {
      const unknown = { $setOnInsert: { chats: 0, bytes: 0, changes: 0, recountAt } }
      await usage.updateOne({ _id: ownerId }, unknown, { upsert: true })
    }
  }
}

/** The chats of all that is there already are looked for once, too. */
const listFiles: MongoStep['run'] = async (database) => {
  await makeIndexes(listedFileIndexes)(database)
  const files = await database.collection('files')
  await files.updateMany({ chatIds: { $ne: [] } }, { $set: { attachedAt: new Date() } })
}

/** The history of chat's database. */
export const mongoMigrations: readonly MongoStep[] = [
  { name: '0001_chats_messages_guests', run: makeIndexes(firstIndexes) },
  { name: '0003_shown_versions', run: showAndSearch },
  { name: '0004_files', run: makeIndexes(fileIndexes) },
  { name: '0006_erasures', run: makeIndexes(ownerIndexes) },
  { name: '0007_listed_chats', run: makeIndexes(listIndexes) },
  { name: '0009_owner_usage', run: countOwners },
  mongoDocumentsStep('0010_guest_documents', [guestBuckets]),
  { name: '0014_archived_chats', run: makeIndexes(archiveIndexes) },
  { name: '0015_listed_files', run: listFiles },
  { name: '0016_continued_answers', run: makeIndexes(continuedIndexes) },
  // Images that were made have events.
  { name: '0017_image_events', run: makeIndexes({ files: outboxIndexes }) },
]
