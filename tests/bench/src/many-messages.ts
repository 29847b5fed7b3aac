import { setTimeout as wait } from 'node:timers/promises'
import type { Parley } from './parley.ts'
import type { Registered } from './register.ts'
import type { Tables } from './tables.ts'
import { writtenChat } from './written-chat.ts'

const templates = 50
/** Messages per chat. */
export const messagesEach = 100
/** Each of these words occurs in one message of one chat. */
export const rareWords = 'jacaranda xylophon'
const pollMs = 500

/** Creates this many chats for a user: a few are imported and indexed normally, then multiplied in the tables. */
export async function writeManyMessages(
  { callAs }: Parley,
  database: Tables,
  { id: ownerId, token }: Registered,
  chats: number,
): Promise<void> {
  const written = Array.from({ length: templates }, (_none, nth) => writtenChat(nth, messagesEach))
  await callAs(token, 'POST', '/chat/import', written)
  await untilIndexed(database, ownerId)
  await multiply(database, ownerId, chats / templates - 1)
  await callAs(token, 'POST', '/chat/import', [writtenChat(templates, messagesEach, ` ${rareWords}`)])
  await untilIndexed(database, ownerId)
  await database.run('vacuum analyze chats, messages, search_segments')
}

async function untilIndexed(database: Tables, ownerId: string): Promise<void> {
  const waiting = 'select count(*)::int as count from messages where search_pending and owner_id = $1'
  while (((await database.run<{ count: number }>(waiting, [ownerId]))?.count ?? 0) > 0) await wait(pollMs)
}

/** The search index of a segment depends only on its owner and its text, so it can be copied. */
async function multiply(database: Tables, ownerId: string, copies: number): Promise<void> {
  const index = await database.run<{ indexdef: string }>(
    "select indexdef from pg_indexes where schemaname = current_schema() and indexname = 'search_segments_grams'",
  )
  if (index === undefined) throw new Error('The index that is searched by is not there')
  // Recreating the index afterwards is much faster.
  await database.run('drop index search_segments_grams')
  const each = [ownerId, copies]
  await database.run(copySegments, each)
  await database.run(copyMessages, each)
  await database.run(copyChats, each)
  await database.run(index.indexdef)
}

const copySegments = `
  insert into search_segments (id, owner_id, chat_id, message_ids, text, grams)
  select md5(id || nth), owner_id, md5(chat_id || nth),
    array(select md5(of.id || nth) from unnest(message_ids) with ordinality as of (id, place) order by place), text, grams
  from search_segments, generate_series(1, $2::int) as nth where owner_id = $1`

const copyMessages = `
  insert into messages
    (id, chat_id, owner_id, role, parent_id, status, content, model, created_at, generation, search_pending)
  select md5(id || nth), md5(chat_id || nth), owner_id, role, case parent_id when '' then '' else md5(parent_id || nth) end,
    status, content, model, created_at - nth * interval '1 hour', generation, false
  from messages, generate_series(1, $2::int) as nth where owner_id = $1`

const copyChats = `
  insert into chats (id, owner_id, title, model_used, pinned, message_count, created_at, updated_at, leaf_id)
  select md5(id || nth), owner_id, title || ' ' || nth, model_used, pinned, message_count,
    created_at - nth * interval '1 hour', updated_at - nth * interval '1 hour', md5(leaf_id || nth)
  from chats, generate_series(1, $2::int) as nth where owner_id = $1`
