import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { ChatStore } from './chat-store.ts'
import type { Chat } from './documents.ts'
import type { ChatTables } from './tables.ts'

const purgedAtOnce = 100

/** The chat store on PostgreSQL. */
export function createPgChatStore(db: Kysely<ChatTables>): ChatStore {
  const shown = (ownerId: string) =>
    db.selectFrom('chats').selectAll().where('owner_id', '=', ownerId).where('deleted_at', 'is', null)
  return {
    async add(chat) {
      await db
        .insertInto('chats')
        .values(toChatRow(chat))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    async find(chatId, ownerId) {
      const row = await shown(ownerId).where('id', '=', chatId).executeTakeFirst()
      return row && toChat(row)
    },
    async list(ownerId, words) {
      const query = words === undefined ? shown(ownerId) : shown(ownerId).where(containsWords(words))
      const rows = await query.orderBy('updated_at', 'desc').orderBy('id', 'desc').execute()
      return rows.map(toChat)
    },
    async change(chatId, ownerId, change) {
      const result = await db
        .updateTable('chats')
        .set(change)
        .where('id', '=', chatId)
        .where('owner_id', '=', ownerId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async noteMessages(chatId, model, at) {
      await db
        .updateTable('chats')
        .set({
          model_used: model,
          updated_at: sql`greatest(updated_at, ${at})`,
          message_count: sql`(select count(*) from messages where chat_id = chats.id)`,
        })
        .where('id', '=', chatId)
        .execute()
    },
    async remove(ownerId, selection, at) {
      const query = db
        .updateTable('chats')
        .set({ deleted_at: at })
        .where('owner_id', '=', ownerId)
        .where('deleted_at', 'is', null)
      const selected = selection === 'all' ? query : query.where(sql<SqlBool>`id = any(${[...selection]})`)
      return (await selected.returning('id').execute()).map(({ id }) => id)
    },
    async restore(chatId, ownerId, since) {
      const result = await db
        .updateTable('chats')
        .set({ deleted_at: null })
        .where('id', '=', chatId)
        .where('owner_id', '=', ownerId)
        .where('deleted_at', '>=', since)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async purge(before) {
      // The chat goes last: what a crash leaves behind is found again through it.
      await sql`
        delete from messages where status <> 'generating' and chat_id in (${removedChats(before)})
      `.execute(db)
      await sql`
        delete from chats where id in (${removedChats(before)})
          and not exists (select from messages where chat_id = chats.id)
      `.execute(db)
    },
  }
}

const removedChats = (before: Date) =>
  sql`select id from chats where deleted_at < ${before} order by deleted_at limit ${sql.lit(purgedAtOnce)}`

/** `%`, `_` and the escape itself are taken literally. */
function containsWords(words: string) {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(title ilike ${pattern} or exists (
    select from messages where chat_id = chats.id and content ilike ${pattern}
  ))`
}

/** The row of a chat that is shown. */
export const toChatRow = (chat: Chat): Selectable<ChatTables['chats']> => ({
  id: chat.id,
  owner_id: chat.ownerId,
  title: chat.title,
  model_used: chat.modelUsed,
  pinned: chat.pinned,
  message_count: chat.messageCount,
  created_at: chat.createdAt,
  updated_at: chat.updatedAt,
  deleted_at: null,
})

const toChat = (row: Selectable<ChatTables['chats']>): Chat => ({
  id: row.id,
  ownerId: row.owner_id,
  title: row.title,
  modelUsed: row.model_used,
  pinned: row.pinned,
  messageCount: row.message_count,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
