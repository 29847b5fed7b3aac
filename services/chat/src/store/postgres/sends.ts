import { type Kysely, type Selectable, sql } from 'kysely'
import type { Send } from '../entities.ts'
import type { SendStore } from '../send-store.ts'
import { type ChatTables, noParent } from './tables.ts'

const sendColumns = [
  'id',
  'owner_id as ownerId',
  'client_message_id as clientMessageId',
  'idempotency_key as idempotencyKey',
  'body_hash as bodyHash',
  'chat_id as chatId',
  'user_message_id as userMessageId',
  'message_id as messageId',
  sql<string | null>`nullif(parent_id, ${sql.lit(noParent)})`.as('parentId'),
  'created_at as createdAt',
] as const

/** Senders' keys on PostgreSQL: its unique constraints decide who was first. */
export function createPgSendStore(db: Kysely<ChatTables>): SendStore {
  return {
    async claim(send) {
      const inserted = await db
        .insertInto('sends')
        .values(toRow(send))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return { claimed: true, send }
      const existing = await this.find(send)
      // Forgotten between the two questions: the key is free again.
      return existing === undefined ? await this.claim(send) : { claimed: false, send: existing }
    },
    async find({ ownerId, clientMessageId, idempotencyKey }) {
      return await db
        .selectFrom('sends')
        .select(sendColumns)
        .where('owner_id', '=', ownerId)
        .where((where) =>
          where.or([where('client_message_id', '=', clientMessageId), where('idempotency_key', '=', idempotencyKey)]),
        )
        .orderBy(sql`client_message_id is not distinct from ${clientMessageId}`, 'desc')
        .limit(1)
        .executeTakeFirst()
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
