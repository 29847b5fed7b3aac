import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { type ChatStore, purgedAtOnce } from '../chat-store.ts'
import type { Chat } from '../entities.ts'
import { purgedAnswer } from '../send-store.ts'
import { inOrder, listedChats, shownChats } from './chat-list.ts'
import { insertingPlaced, toPlacedRow } from './message-rows.ts'
import { type ChatTables, jsonRow } from './tables.ts'

const addedAtOnce = 500

/** The chat store on PostgreSQL. */
export function createPgChatStore(db: Kysely<ChatTables>): ChatStore {
  const shown = (ownerId: string) => shownChats(db, ownerId)
  const changing = (ownerId: string) =>
    db.updateTable('chats').where('owner_id', '=', ownerId).where('deleted_at', 'is', null)
  return {
    async add(chat, messages = []) {
      const rows = messages.map((message) => toPlacedRow(message, chat.ownerId))
      if (rows.length <= addedAtOnce) return await addWithMessages(db, chat, rows)
      return await db.transaction().execute(async (tx) => {
        if (!(await addWithMessages(tx, chat, rows.slice(0, addedAtOnce)))) return false
        for (let from = addedAtOnce; from < rows.length; from += addedAtOnce) {
          await insertingPlaced(rows.slice(from, from + addedAtOnce)).execute(tx)
        }
        return true
      })
    },
    async find(chatId, ownerId) {
      const row = await shown(ownerId).selectAll().where('id', '=', chatId).executeTakeFirst()
      return row && toChat(row)
    },
    async list(ownerId, part) {
      return (await listedChats(db, ownerId, part).execute()).map(toChat)
    },
    async titles(ownerId) {
      const rows = await inOrder(shown(ownerId).select(['id', 'title', 'archived'])).execute()
      return rows.map(({ id, title, archived }) => ({ id, title, ...(archived && { archived }) }))
    },
    async findMany(ownerId, ids) {
      const those = shown(ownerId)
        .selectAll()
        .where('id', '=', sql<string>`any(${[...ids]})`)
      return (await inOrder(those).execute()).map(toChat)
    },
    async change(chatId, ownerId, change) {
      const result = await changing(ownerId)
        .where('id', '=', chatId)
        .set('memoryOff' in change ? { memory_off: change.memoryOff } : change)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async retitle(chatId, ownerId, { from, to }) {
      const row = await changing(ownerId)
        .where('id', '=', chatId)
        .where('title', '=', from)
        .set({ title: to })
        .returningAll()
        .executeTakeFirst()
      return row && toChat(row)
    },
    async noteMessages(chatId, model, at) {
      const row = await db
        .updateTable('chats')
        .set({ model_used: model, archived: false, updated_at: sql`greatest(updated_at, ${at})` })
        .where('id', '=', chatId)
        .returningAll()
        .executeTakeFirst()
      return row?.deleted_at === null ? toChat(row) : undefined
    },
    async archive(ownerId, ids, archived) {
      const rows = await changing(ownerId)
        .where(sql<SqlBool>`id = any(${[...ids]})`)
        .set({ archived })
        .returningAll()
        .execute()
      return rows.map(toChat)
    },
    async remove(ownerId, selection, at) {
      const query = changing(ownerId).set({ deleted_at: at })
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
      // From here on the chat counts as removed before any time, so that none is restored without its messages.
      const purged = await sql<{ id: string }>`
        update chats set deleted_at = '-infinity' where id in (${removedChats(before)}) and deleted_at < ${before}
        returning id
      `.execute(db)
      const ids = purged.rows.map(({ id }) => id)
      if (ids.length === 0) return
      // Another replica may have purged a chat meanwhile, and its owner have imported it again.
      const still = sql`select id from chats where id = any(${ids}) and deleted_at = '-infinity'`
      await sql`
        update sends set message_id = ${purgedAnswer} from chats
        where chats.id in (${still}) and sends.owner_id = chats.owner_id and sends.chat_id = chats.id
      `.execute(db)
      await sql`delete from messages where status <> 'generating' and chat_id in (${still})`.execute(db)
      await sql`delete from search_segments where chat_id in (${still})`.execute(db)
      // The chat goes last: what a crash leaves behind is found again through it.
      await sql`
        delete from chats where id in (${still}) and not exists (select from messages where chat_id = chats.id)
      `.execute(db)
    },
  }
}

/** One statement, so that the owner's total is locked for no longer than it takes. False when the id is taken. */
async function addWithMessages(db: Kysely<ChatTables>, chat: Chat, rows: readonly object[]): Promise<boolean> {
  const row = toChatRow(chat)
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const { rows: added } = await sql`
    with added as (
      insert into chats (${columns})
      select ${columns} from jsonb_populate_record(null::chats, ${JSON.stringify(row)}::jsonb)
      on conflict (id) do nothing returning id
    ), kept as (${insertingPlaced(rows)} where exists (select from added))
    select id from added
  `.execute(db)
  return added.length > 0
}

const removedChats = (before: Date) =>
  sql`select id from chats where deleted_at < ${before} order by deleted_at limit ${sql.lit(purgedAtOnce)}`

/** The row, in JSON, of a chat that is shown. */
export const toChatRow = (chat: Chat) => ({
  ...jsonRow(chat),
  archived: chat.archived === true,
  memory_off: chat.memoryOff === true,
})

const toChat = (row: Selectable<ChatTables['chats']>): Chat => ({
  id: row.id,
  ownerId: row.owner_id,
  title: row.title,
  modelUsed: row.model_used,
  pinned: row.pinned,
  ...(row.archived && { archived: true }),
  ...(row.memory_off && { memoryOff: true }),
  messageCount: row.message_count,
  leafId: row.leaf_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
