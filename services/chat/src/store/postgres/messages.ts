import { type Kysely, sql } from 'kysely'
import { endOf } from '../continued.ts'
import type { Appended, MessageStore, OutlineEntry, Shown } from '../message-store.ts'
import { type ThreadRow, threadColumns, threadColumnsOf, toFinishedRow, toThreadMessage } from './message-rows.ts'
import { type ChatTables, type GenerationJson, noParent } from './tables.ts'

/** The message store on PostgreSQL. */
export function createPgMessageStore(db: Kysely<ChatTables>): MessageStore {
  const ofChat = (chatId: string) => db.selectFrom('messages').select(threadColumns).where('chat_id', '=', chatId)
  return {
    async find(chatId, messageId) {
      const row = await ofChat(chatId).where('id', '=', messageId).executeTakeFirst()
      return row && toThreadMessage(row)
    },
    async findMany(chatId, ids) {
      const rows = await ofChat(chatId)
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
      const found = new Map(rows.map((row) => [row.id, toThreadMessage(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async path(chatId, from, limit, bytes = Number.MAX_SAFE_INTEGER) {
      const { rows } = await sql<ThreadRow & { versions: string[] }>`
        with recursive path (id, parent_id, depth, bytes) as (
          select id, parent_id, 1, ${bytesOf('messages')} from messages
            where chat_id = ${chatId} and id = ${firstOf(chatId, from)}
          union all
          select parent.id, parent.parent_id, path.depth + 1, path.bytes + ${bytesOf('parent')} from messages parent
            join path on parent.id = path.parent_id and path.depth < ${limit}::integer
              and path.bytes + ${bytesOf('parent')} <= ${bytes}::bigint
        )
        select ${threadColumnsOf('m')}, ${versions} as versions
        from path join messages m on m.id = path.id
        order by path.depth
      `.execute(db)
      return rows.map((row) => ({ ...toThreadMessage(row), versions: row.versions }))
    },
    async outline(chatId) {
      const { rows } = await sql<Omit<OutlineEntry, 'usage'> & Pick<GenerationJson, 'ending' | 'continued'>>`
        select id, nullif(parent_id, ${noParent}) as "parentId", role, status, model,
          ${isEmpty('messages')} as "isEmpty", attachments <> '[]' as "hasAttachments", ${bytesOf('messages')} as bytes,
          generation -> 'ending' as ending, generation -> 'continued' as continued, greatest(shown_at, created_at) as at
        from messages where chat_id = ${chatId} order by created_at, id collate "C"
      `.execute(db)
      return rows.map(({ ending, continued, ...entry }) => {
        return { ...entry, usage: endOf({ ...entry, ending, continued: continued ?? null }).ending?.usage ?? null }
      })
    },
    async contents(ids) {
      const rows = await db
        .selectFrom('messages')
        .select(['id', 'chat_id', 'content'])
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
      return rows.map(({ id, chat_id: chatId, content }) => ({ id, chatId, content }))
    },
    async existing(ids) {
      const rows = await db
        .selectFrom('messages')
        .select('id')
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
      return rows.map(({ id }) => id)
    },
    async append(chatId, ownerId, messages, { follows, parentId = null } = {}) {
      const added = JSON.stringify(messages.map(toFinishedRow))
      const last = follows === null ? noParent : (follows ?? null)
      const { rows } = await sql<{ appended: Appended }>`
        select append_messages(${chatId}, ${ownerId}, ${added}::jsonb, ${last}, ${parentId}) as appended`.execute(db)
      return rows[0]?.appended ?? 'gone'
    },
    async show(chatId, ownerId, leafId, at) {
      const { rows } = await sql<{ shown: Shown }>`
        select show_version(${chatId}, ${ownerId}, ${leafId}, ${at}) as shown`.execute(db)
      return rows[0]?.shown ?? 'gone'
    },
    async rate(chatId, messageId, feedback) {
      const result = await db
        .updateTable('messages')
        .set({ feedback: feedback && JSON.stringify(feedback) })
        .where('chat_id', '=', chatId)
        .where('id', '=', messageId)
        .where('role', '=', 'assistant')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
  }
}

const firstOf = (chatId: string, from: string) =>
  from === 'shown' ? sql`(select leaf_id from chats where id = ${chatId})` : sql`${from}`

const isEmpty = (table: string) =>
  sql`(${sql.ref(`${table}.status`)} = 'error' and ${sql.ref(`${table}.content`)} = '')`

/** Known without reading the texts; events count as they are stored, which may be compressed. */
const bytesOf = (table: string) =>
  sql`(octet_length(${sql.ref(`${table}.content`)})::bigint + octet_length(${sql.ref(`${table}.reasoning`)})
    + pg_column_size(${sql.ref(`${table}.events`)}))`

const versions = sql`array(
  select v.id from messages v
  where v.chat_id = m.chat_id and v.parent_id = m.parent_id and (v.id = m.id or not ${isEmpty('v')})
  order by v.created_at, v.id collate "C"
)`
