import { eventsIf } from '@parley/db'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { type FilePlace, type FileStore, filesAtOnce, type NewFile, ofUpload } from '../file-store.ts'
import type { ChatTables } from './tables.ts'

/** The metadata of a file, without its bytes. */
const metaColumns = [
  'id',
  'owner_id as ownerId',
  'sha256',
  'name',
  'mime_type as mimeType',
  'size',
  'width',
  'height',
  'pages',
  'made',
  'created_at as createdAt',
] as const

/** The file store on PostgreSQL. */
export function createPgFileStore(db: Kysely<ChatTables>): FileStore {
  const ofOwner = (ownerId: string) => db.selectFrom('files').select(metaColumns).where('owner_id', '=', ownerId)
  const findDigest: FileStore['findDigest'] = async (ownerId, sha256, { at, expiresAt }) => {
    const isFree = sql`chat_ids = '{}'`
    return await db
      .updateTable('files')
      .set({
        expires_at: sql`greatest(expires_at, case when ${isFree} then ${expiresAt}::timestamptz end)`,
        chat_ids: sql`case when ${isFree} then chat_ids else array_append(array_remove(chat_ids, ${ofUpload}), ${ofUpload}) end`,
        attached_at: sql`case when ${isFree} then attached_at else ${at}::timestamptz end`,
      })
      .where('owner_id', '=', ownerId)
      .where('sha256', '=', sha256)
      .returning(metaColumns)
      .executeTakeFirst()
  }
  const column = async (id: string, ownerId: string, name: 'bytes' | 'thumb' | 'content') => {
    const found = db.selectFrom('files').select(name).where('id', '=', id).where('owner_id', '=', ownerId)
    return (await found.executeTakeFirst())?.[name] ?? undefined
  }
  return {
    async add(file, event) {
      const add = db
        .insertInto('files')
        .values(toRow(file))
        .onConflict((conflict) => conflict.columns(['owner_id', 'sha256']).doNothing())
        .returning(metaColumns)
      const added = await db
        .with('added', () => add)
        .with('written', () => eventsIf(sql`exists (select from added)`, event === undefined ? [] : [event]))
        .selectFrom('added')
        .selectAll()
        .executeTakeFirst()
      // One that expired between the two questions leaves its place.
      const upload = { at: file.createdAt, expiresAt: file.expiresAt }
      return added ?? (await findDigest(file.ownerId, file.sha256, upload)) ?? (await this.add(file, event))
    },
    findDigest,
    async find(ids, ownerId) {
      return await ofOwner(ownerId)
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
    },
    ofOwner: (ownerId, after, limit) =>
      ofOwner(ownerId).where('sha256', '>', after).orderBy('sha256').limit(limit).execute(),
    sent: (ownerId, after, limit) => sentFiles(db, ownerId, after, limit).execute(),
    bytes: (id, ownerId, part) =>
      column(id, ownerId, part === 'full' ? 'bytes' : 'thumb') as Promise<Buffer | undefined>,
    text: (id, ownerId) => column(id, ownerId, 'content') as Promise<string | undefined>,
    async attach(chatId, ownerId, ids, at) {
      const result = await db
        .updateTable('files')
        .set({
          chat_ids: sql`array_append(array_remove(chat_ids, ${chatId}), ${chatId})`,
          expires_at: null,
          attached_at: at,
        })
        .where('owner_id', '=', ownerId)
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .executeTakeFirst()
      return result.numUpdatedRows === BigInt(ids.length)
    },
    async confirm(before, now) {
      await sql`
        with due as (
            select id, chat_ids from files where attached_at < ${before}
            order by attached_at limit ${sql.lit(filesAtOnce)} for update
          ),
          looked as (
            select id, chat_ids as had, array(select chats.id from chats where chats.id = any(due.chat_ids)) as kept from due
          )
        update files set attached_at = null, chat_ids = kept,
          expires_at = case when kept = '{}' and had <> '{}' then ${now}::timestamptz else expires_at end
        from looked where files.id = looked.id
      `.execute(db)
    },
    async release(before, now) {
      // From here on they count as removed before any time: by a clock that is behind one could be restored without its files.
      await sql`
        with due as (
            select id from chats where deleted_at < ${before} and deleted_at > '-infinity' order by id for update
          ),
          closed as (update chats set deleted_at = '-infinity' from due where chats.id = due.id returning chats.id),
          removed as (
            select array(select id from closed union all select id from chats where deleted_at = '-infinity') as ids
          ),
          freed as (
            select id, array(select unnest(chat_ids) except select unnest(removed.ids)) as kept
            from files, removed where chat_ids && removed.ids order by id for update of files
          )
        update files set chat_ids = kept, expires_at = case when kept = '{}' then ${now}::timestamptz end
        from freed where files.id = freed.id
      `.execute(db)
    },
    async purge(now) {
      await sql`
        delete from files where expires_at < ${now} and id in (
          select id from files where expires_at < ${now} order by expires_at limit ${sql.lit(filesAtOnce)}
        )
      `.execute(db)
    },
  }
}

/** An owner's files that were sent with messages, newest first. */
export function sentFiles(db: Kysely<ChatTables>, ownerId: string, after: FilePlace | undefined, limit: number) {
  const sent = db
    .selectFrom('files')
    .select(metaColumns)
    .where('owner_id', '=', ownerId)
    .where('made', 'is', null)
    .where(sql<SqlBool>`chat_ids <> '{}'`)
    .orderBy('created_at', 'desc')
    .orderBy(sql`id collate "C"`, 'desc')
    .limit(limit)
  if (after === undefined) return sent
  return sent.where(sql<SqlBool>`(created_at, id collate "C") < (${after.createdAt}::timestamptz, ${after.id})`)
}

const toRow = (file: NewFile) => ({
  id: file.id,
  owner_id: file.ownerId,
  sha256: file.sha256,
  name: file.name,
  mime_type: file.mimeType,
  size: file.size,
  width: file.width,
  height: file.height,
  pages: file.pages,
  made: file.made && JSON.stringify(file.made),
  bytes: bufferOf(file.bytes),
  thumb: file.thumb && bufferOf(file.thumb),
  content: file.text,
  created_at: file.createdAt,
  expires_at: file.expiresAt,
})

/** The same memory. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
