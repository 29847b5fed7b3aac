import { type Kysely, type Selectable, sql } from 'kysely'
import type { Send } from '../entities.ts'
import type { SendStore } from '../send-store.ts'
import { type ChatTables, noParent } from './tables.ts'

/** Senders' keys on PostgreSQL: its unique constraints decide who was first. */
export function createPgSendStore(db: Kysely<ChatTables>): SendStore {
  const findExisting = (send: Send) =>
    db
      .selectFrom('sends')
      .selectAll()
      .where('owner_id', '=', send.ownerId)
      .where((where) =>
        where.or([
          where('client_message_id', '=', send.clientMessageId),
          where('idempotency_key', '=', send.idempotencyKey),
        ]),
      )
      .orderBy(sql`client_message_id is not distinct from ${send.clientMessageId}`, 'desc')
      .limit(1)
      .executeTakeFirst()
  return {
    async claim(send) {
      const inserted = await db
        .insertInto('sends')
        .values(toRow(send))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return { claimed: true, send }
      const row = await findExisting(send)
      // Forgotten between the two questions: the key is free again.
      return row === undefined ? await this.claim(send) : { claimed: false, send: toSend(row) }
    },
    async find(ownerId, clientMessageId) {
      const row = await db
        .selectFrom('sends')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('client_message_id', '=', clientMessageId)
        .executeTakeFirst()
      return row && toSend(row)
    },
    async retry(sendId, failedId, messageId) {
      const result = await db
        .updateTable('sends')
        .set({ message_id: messageId })
        .where('id', '=', sendId)
        .where('message_id', '=', failedId)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async purge(before) {
      await db.deleteFrom('sends').where('created_at', '<', before).execute()
    },
  }
}

const toRow = (send: Send): Selectable<ChatTables['sends']> => ({
  id: send.id,
  owner_id: send.ownerId,
  client_message_id: send.clientMessageId,
  idempotency_key: send.idempotencyKey,
  body_hash: send.bodyHash,
  chat_id: send.chatId,
  user_message_id: send.userMessageId,
  message_id: send.messageId,
  parent_id: send.parentId ?? noParent,
  created_at: send.createdAt,
})

const toSend = (row: Selectable<ChatTables['sends']>): Send => ({
  id: row.id,
  ownerId: row.owner_id,
  clientMessageId: row.client_message_id,
  idempotencyKey: row.idempotency_key,
  bodyHash: row.body_hash,
  chatId: row.chat_id,
  userMessageId: row.user_message_id,
  messageId: row.message_id,
  parentId: row.parent_id === noParent ? null : row.parent_id,
  createdAt: row.created_at,
})
