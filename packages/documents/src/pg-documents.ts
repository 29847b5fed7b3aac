import type { Event } from '@parley/contracts'
import { openPostgres, type PostgresOptions, writeEvents } from '@parley/db'
import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql, type Transaction } from 'kysely'
import {
  type Collection,
  changesOf,
  type Documents,
  drawVersion,
  fieldsOf,
  type Identified,
  type Key,
  type Layout,
  type Range,
  type Versioned,
  withFields,
} from './documents.ts'
import { insertResults } from './insert-results.ts'

interface Row {
  readonly id: string
  readonly version: number
  readonly doc: object
}

/** Documents on PostgreSQL: rows of id, version and jsonb. A change without events is one statement. */
export function createPgDocuments<DB, Doc extends Identified, Index extends string>(
  db: Kysely<DB>,
  collection: Collection<Doc, Index>,
): Documents<Doc, Index> {
  const table = sql.table(collection.name)
  const read = ({ id, version, doc }: Row): Versioned<Doc> => ({
    doc: collection.schema.parse({ ...doc, id }),
    version,
  })
  /** Runs a statement that tells by its rows whether it had its effect, and writes the events if so. */
  const write = async <Written>(
    statement: (on: QueryExecutorProvider) => Promise<readonly Written[]>,
    events: readonly Event[] = [],
    happened = (rows: readonly Written[]): boolean => rows.length > 0,
  ): Promise<readonly Written[]> => {
    if (events.length === 0) return await statement(db)
    return await db.transaction().execute(async (tx) => {
      const rows = await statement(tx)
      if (happened(rows)) await writeEvents(tx, events)
      return rows
    })
  }
  const update = async (
    where: RawBuilder<unknown>,
    fields: Partial<Doc>,
    events?: readonly Event[],
  ): Promise<boolean> => {
    const { set, removed } = changesOf(fields)
    const doc = sql`(doc - ${removed}::text[]) || ${JSON.stringify(set)}::jsonb`
    const changed = await write(async (on) => {
      const statement = sql`update ${table} set doc = ${doc}, version = version + 1 where ${where} returning 1`
      return (await statement.execute(on)).rows
    }, events)
    return changed.length > 0
  }
  const documents: Documents<Doc, Index> = {
    async get(id) {
      const { rows } = await sql<Row>`select id, version, doc from ${table} where id = ${id}`.execute(db)
      return rows[0] && read(rows[0])
    },
    async version(id) {
      const { rows } = await sql<Pick<Row, 'version'>>`select version from ${table} where id = ${id}`.execute(db)
      return rows[0]?.version
    },
    async find(index, range, { limit, descending = false, after }) {
      const { where, order } = partOf(collection, index, range)
      const columns = order.map(columnOf)
      const beyond = after && [
        sql`(${sql.join(columns)}) ${sql.raw(descending ? '<' : '>')} (${sql.join(order.map((field) => textOf(after[field as keyof Doc] as Key)))})`,
      ]
      const { rows } = await sql<Row>`
        select id, version, doc from ${table} where ${sql.join([...where, ...(beyond ?? [])], sql` and `)}
        order by ${sql.join(columns.map((column) => sql`${column} ${sql.raw(descending ? 'desc' : 'asc')}`))}
        limit ${limit}
      `.execute(db)
      return rows.map(read)
    },
    async insertOnce(docs, events) {
      const version = drawVersion()
      const insert = async (on: QueryExecutorProvider) => {
        // In the order of their ids, so that two inserts of the same ones cannot deadlock.
        const { rows } = await sql<Pick<Row, 'id'>>`
          insert into ${table} (id, version, doc)
          select given ->> 'id', ${version}::integer, given - 'id' from jsonb_array_elements(${JSON.stringify(docs)}::jsonb) as given
          order by 1 on conflict do nothing returning id
        `.execute(on)
        return rows.map(({ id }) => id)
      }
      const inserted = new Set(await write(insert, events, (ids) => ids.includes(docs[0]?.id ?? '')))
      return await insertResults(documents, docs, events, version, ({ id }) => inserted.has(id))
    },
    async replace({ doc, version }, fields, events) {
      const isReplaced = await update(sql`id = ${doc.id} and version = ${version}`, fields, events)
      return isReplaced ? { doc: withFields(doc, fields), version: version + 1 } : undefined
    },
    async patch(id, held, fields, events) {
      return await update(sql`id = ${id} and doc @> ${JSON.stringify(held)}::jsonb`, fields, events)
    },
    async removeWhere(index, range, limit) {
      const { where } = partOf(collection, index, range)
      // The rows found are counted: one that another writer holds at the moment may not have been deleted.
      const { rows } = await sql<{ found: number }>`
        with found as materialized (
          select id from ${table} where ${sql.join(where, sql` and `)} limit ${limit} for update
        ), removed as (
          delete from ${table} where id = any(array(select id from found))
        )
        select count(*) as found from found
      `.execute(db)
      return rows[0]?.found ?? 0
    },
  }
  return documents
}

/**
 * Makes the tables and indexes that are missing, as a part of a service's migration, after its files, over a connection of its own. All replicas may do it
 * at once.
 */
export async function preparePgDocuments(
  options: Pick<PostgresOptions, 'url' | 'schema' | 'log'>,
  collections: readonly Layout[],
): Promise<void> {
  const { db, close } = openPostgres<object>({ ...options, max: 1, unlimited: true })
  try {
    await db.transaction().execute((tx) => createMissing(tx, collections))
  } finally {
    await close()
  }
}

async function createMissing(tx: Transaction<object>, collections: readonly Layout[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('documents:' || current_schema, 0))`.execute(tx)
  // Checked first: even `if not exists` locks the table against writers.
  const isMissing = async (name: string): Promise<boolean> => {
    const { rows } = await sql<{ found: string | null }>`select to_regclass(quote_ident(${name})) as found`.execute(tx)
    return rows[0]?.found === null
  }
  for (const { name, indexes } of collections) {
    if (await isMissing(name)) {
      const columns = sql`id text collate "C" primary key, version integer not null, doc jsonb not null`
      await sql`create table ${sql.table(name)} (${columns})`.execute(tx)
    }
    for (const index of Object.keys(indexes)) {
      const fullName = `${name}_${index}`
      const { order } = fieldsOf({ indexes }, index, {})
      const columns = sql.join(order.map(columnOf))
      if (await isMissing(fullName)) {
        await sql`create index ${sql.ref(fullName)} on ${sql.table(name)} (${columns})`.execute(tx)
      }
    }
  }
}

function partOf(collection: Pick<Layout, 'indexes'>, index: string, range: Range) {
  const { equal, order } = fieldsOf(collection, index, range)
  const first = columnOf(order[0] ?? 'id')
  const where = [
    ...equal.map(([field, key]) => sql`${columnOf(field)} = ${textOf(key)}`),
    ...order.map((field) => sql`${columnOf(field)} is not null`),
    ...(range.from === undefined ? [] : [sql`${first} >= ${textOf(range.from)}`]),
    ...(range.before === undefined ? [] : [sql`${first} < ${textOf(range.before)}`]),
  ]
  return { where, order }
}

/** In the form in which it is indexed, so that the indexes are used. Times are stored as texts that sort like times. */
const columnOf = (field: string): RawBuilder<unknown> =>
  field === 'id' ? sql.ref('id') : sql`((doc ->> ${sql.lit(field)}) collate "C")`

const textOf = (key: Key): string => (typeof key === 'string' ? key : key.toISOString())
