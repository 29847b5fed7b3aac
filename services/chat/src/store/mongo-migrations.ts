import { type MongoStep, outboxIndexes } from '@parley/db/mongo'

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

const makeFirstIndexes: MongoStep['run'] = async ({ collection }) => {
  for (const [name, indexes] of Object.entries(firstIndexes)) {
    const documents = await collection(name)
    await documents.createIndexes(indexes.map((index) => ({ ...index })))
  }
}

/** The history of chat's database. */
export const mongoMigrations: readonly MongoStep[] = [{ name: '0001_chats_messages_guests', run: makeFirstIndexes }]
