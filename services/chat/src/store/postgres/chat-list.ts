import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type ListPart, mostListed } from '../chat-store.ts'
import type { ChatTables } from './tables.ts'

/** An owner's chats that are shown. */
export const shownChats = (db: Kysely<ChatTables>, ownerId: string) =>
  db.selectFrom('chats').where('owner_id', '=', ownerId).where('deleted_at', 'is', null)

/** The chats of a part of the list, in its order. */
export function listedChats(
  db: Kysely<ChatTables>,
  ownerId: string,
  { limit = mostListed, after, pinned, archived = false }: ListPart = {},
) {
  let listed = inOrder(shownChats(db, ownerId).selectAll().where('archived', '=', archived)).limit(limit)
  if (pinned !== undefined) listed = listed.where('pinned', '=', pinned)
  if (after === undefined) return listed
  return listed.where(sql<SqlBool>`(updated_at, id collate "C") < (${after.updatedAt}::timestamptz, ${after.id})`)
}

/** Puts chats in the order of the list. */
export const inOrder = <Row>(query: SelectQueryBuilder<ChatTables, 'chats', Row>) =>
  query.orderBy('updated_at', 'desc').orderBy(sql`id collate "C"`, 'desc')
