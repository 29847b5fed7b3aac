import { newId } from '@parley/kit'
import { type Insertable, type Kysely, sql } from 'kysely'
import { gramsOfQuery, segmentsOf, separator } from '../../search/search-text.ts'
import {
  hitsAmong,
  indexedAtOnce,
  lookedAtAsTheyAre,
  type PendingMessage,
  type SearchHit,
  type SearchMemory,
  type SearchStore,
  searchTooSlow,
} from '../search-store.ts'
import type { ChatTables } from './tables.ts'

/** Segments of one statement: their grams are indexed one by one, which has to end within the statement's time limit even if none is there twice. */
const insertedAtOnce = 4

/** PostgreSQL's error code for a statement that exceeded its time limit. */
const timedOut = '57014'

/** Searching on PostgreSQL, with a GIN index over the segments' grams. @param memory in bytes @param mostMs of one statement of a search */
export function createPgSearchStore(db: Kysely<ChatTables>, memory: SearchMemory, mostMs: number): SearchStore {
  const inTime = async <Result>(act: (tx: Kysely<ChatTables>) => Promise<Result>): Promise<Result> => {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(mostMs)}`.execute(tx)
        return await act(tx)
      })
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === timedOut) throw searchTooSlow(error)
      throw error
    }
  }
  return {
    async find(ownerId, folded, limit, archived = false) {
      // One after the other: a message that is indexed meanwhile is then found twice. Read at the same time, both could miss it.
      const pending = await inTime((tx) => readPending(tx, ownerId, memory.lookedAt))
      const recent = await hitsAmong(pending, folded)
      const indexed = await inTime(async (tx) => {
        // The planner underestimates the cost of reading grams: for very common words it would read those of every segment of every owner.
        await sql`set local enable_seqscan = off`.execute(tx)
        return await findIndexed(tx, { ownerId, folded, limit, archived })
      })
      return [...recent.toReversed(), ...indexed]
    },
    async index(before) {
      return await db.transaction().execute(async (tx) => {
        const rows = await pendingOfAll(tx, before, memory.indexed)
        if (rows.length === 0) return 0
        const segments: Insertable<ChatTables['search_segments']>[] = []
        for (const [chatId, messages] of Map.groupBy(rows, ({ chat_id }) => chat_id)) {
          const ownerId = messages[0]?.owner_id ?? ''
          for (const { messageIds, text, grams } of await segmentsOf(ownerId, messages)) {
            const place = {
              id: segmentId(messages[0]?.created_at, segments.length),
              owner_id: ownerId,
              chat_id: chatId,
            }
            segments.push({ ...place, text, message_ids: [...messageIds], grams: [...grams] })
          }
        }
        for (let from = 0; from < segments.length; from += insertedAtOnce) {
          const some = segments.slice(from, from + insertedAtOnce)
          await tx.insertInto('search_segments').values(some).execute()
        }
        await tx
          .updateTable('messages')
          .set({ search_pending: false })
          .where('id', '=', sql<string>`any(${rows.map(({ id }) => id)})`)
          .execute()
        return rows.length
      })
    },
  }
}

/** Ids are in the order of time: of a chat's messages that contain the words the first one is shown. */
const segmentId = (since: Date | undefined, nth: number): string =>
  `${since?.toISOString() ?? ''}-${String(nth).padStart(4, '0')}-${newId()}`

/** The first ones, as many as fit into memory. */
async function pendingOfAll(db: Kysely<ChatTables>, before: Date, mostBytes: number) {
  const waiting = await lockPending(db, before)
  const ids: string[] = []
  let size = 0
  for (const { id, bytes } of waiting) {
    size += bytes
    if (ids.length > 0 && size > mostBytes) break
    ids.push(id)
  }
  if (ids.length === 0) return []
  return await db
    .selectFrom('messages')
    .select(['id', 'chat_id', 'owner_id', 'content', 'created_at'])
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('chat_id')
    .orderBy('created_at')
    .execute()
}

const lockPending = (db: Kysely<ChatTables>, before: Date) =>
  db
    .selectFrom('messages')
    .select(['id', sql<number>`octet_length(content)`.as('bytes')])
    .where('search_pending', '=', true)
    .where('expires_at', 'is', null)
    .where('status', '<>', 'generating')
    .where('created_at', '<', before)
    .orderBy('chat_id')
    .orderBy('created_at')
    .limit(indexedAtOnce)
    .forUpdate()
    .skipLocked()
    .execute()

async function readPending(db: Kysely<ChatTables>, ownerId: string, mostBytes: number): Promise<PendingMessage[]> {
  const { rows } = await sql<PendingMessage>`
    select id, chat_id as "chatId", content from (
      select id, chat_id, content, sum(octet_length(content)) over (order by created_at desc, id collate "C") as bytes
      from messages where search_pending and expires_at is null and owner_id = ${ownerId}
      order by created_at desc, id collate "C" limit ${sql.lit(lookedAtAsTheyAre)}
    ) as recent where bytes <= ${sql.lit(mostBytes)}
    order by bytes
  `.execute(db)
  return rows
}

/** Chats are put in order before their texts are looked at, so that words that are everywhere are found soon. */
async function findIndexed(
  db: Kysely<ChatTables>,
  { ownerId, folded, limit, archived }: { ownerId: string; folded: string; limit: number; archived: boolean },
) {
  const { rows } = await sql<SearchHit>`
    with candidates as materialized (
      select id, chat_id from search_segments where grams @> ${gramsOfQuery(ownerId, folded)}::integer[]
    )
    select hit.chat_id as "chatId", hit.message_id as "messageId"
    from (
      select candidates.id from candidates join chats on chats.id = candidates.chat_id
      where chats.owner_id = ${ownerId} and chats.deleted_at is null and chats.archived = ${archived}
      order by chats.updated_at desc, candidates.id collate "C" offset 0
    ) as ordered
    cross join lateral (
      select chat_id, message_ids[1 + length(before) - length(replace(before, ${separator}, ''))] as message_id
      from search_segments, left(text, strpos(text, ${folded})) as before
      where search_segments.id = ordered.id and before <> ''
      limit 1
    ) as hit
    limit ${limit}
  `.execute(db)
  return rows
}
