import { type Kysely, type Selectable, sql } from 'kysely'
import type { ThreadMessage, UserMessage } from './documents.ts'
import type { MessageStore, PathMessage } from './message-store.ts'
import { type ChatTables, type MessageRow, noParent } from './tables.ts'

const threadColumns = [
  'id',
  'chat_id',
  'role',
  'parent_id',
  'status',
  'content',
  'reasoning',
  'model',
  'client_message_id',
  'generation',
  'created_at',
] as const
type ThreadRow = Pick<Selectable<MessageRow>, (typeof threadColumns)[number]>

/** The message store on PostgreSQL. */
export function createPgMessageStore(db: Kysely<ChatTables>): MessageStore {
  return {
    async addUserMessage(message) {
      await db
        .insertInto('messages')
        .values(toMessageRow(message))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    async find(chatId, messageId) {
      const row = await db
        .selectFrom('messages')
        .select(threadColumns)
        .where('chat_id', '=', chatId)
        .where('id', '=', messageId)
        .executeTakeFirst()
      return row && toThreadMessage(row)
    },
    async path(chatId, from, limit) {
      const { rows } = await sql<ThreadRow & { versions: string[] }>`
        with recursive path (id, parent_id, depth) as (
          select id, parent_id, 1 from messages where chat_id = ${chatId} and id = ${firstOf(chatId, from)}
          union all
          select parent.id, parent.parent_id, path.depth + 1 from messages parent
            join path on parent.id = path.parent_id and path.depth < ${limit}::integer
        )
        select ${sql.join(threadColumns.map((column) => sql.ref(`m.${column}`)))}, ${versions} as versions
        from path join messages m on m.id = path.id
        order by path.depth
      `.execute(db)
      return rows.map(toPathMessage)
    },
  }
}

/** The row of what a user wrote. */
export const toMessageRow = (message: UserMessage) =>
  ({
    id: message.id,
    chat_id: message.chatId,
    owner_id: message.ownerId,
    role: 'user',
    parent_id: message.parentId ?? noParent,
    status: 'complete',
    content: message.content,
    model: message.model,
    client_message_id: message.clientMessageId,
    created_at: message.createdAt,
  }) as const

const firstOf = (chatId: string, from: string) =>
  from === 'newest'
    ? sql`(select id from messages where chat_id = ${chatId} order by created_at desc, id desc limit 1)`
    : sql`${from}`

const versions = sql`array(
  select v.id from messages v
  where v.chat_id = m.chat_id and v.parent_id = m.parent_id
    and (v.id = m.id or v.status <> 'error' or v.content <> '')
  order by v.created_at, v.id
)`

const toPathMessage = (row: ThreadRow & { versions: string[] }): PathMessage => ({
  ...toThreadMessage(row),
  versions: row.versions,
})

const toThreadMessage = (row: ThreadRow): ThreadMessage => ({
  id: row.id,
  chatId: row.chat_id,
  role: row.role,
  parentId: row.parent_id === noParent ? null : row.parent_id,
  status: row.status,
  content: row.content,
  reasoning: row.reasoning,
  reasoningMs: row.generation?.reasoningMs ?? 0,
  model: row.model,
  clientMessageId: row.client_message_id,
  ending: row.generation?.ending ?? null,
  createdAt: row.created_at,
})
