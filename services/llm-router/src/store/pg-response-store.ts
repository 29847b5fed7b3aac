import type { PostgresDatabase } from '@parley/db'
import { type RawBuilder, sql } from 'kysely'
import type { ResponseBody, ResponseStore, StoredResponse } from './response-store.ts'
import type { LlmRouterTables } from './tables.ts'

const megabyte = 1024 * 1024
const defaultLimits = {
  /** Of all responses of an owner. */
  bytesOfOwner: 256 * megabyte,
  /** A response of at least this many bytes is made room for at once, smaller ones by the sweep. */
  largeBytes: 64 * 1024,
  /** Of one conversation, and of the responses with the items that a request refers to. */
  conversationBytes: 32 * megabyte,
  /** Responses in one conversation. */
  conversationTurns: 1_000,
}

interface Row {
  readonly id: string
  readonly previous_id: string | null
  readonly input: string
  readonly response: string
}

/** Stored responses in PostgreSQL. @param limits override the default ones */
export const createPgResponseStore = (
  { db }: Pick<PostgresDatabase<LlmRouterTables>, 'db'>,
  limits: Partial<typeof defaultLimits> = {},
): ResponseStore => {
  const { bytesOfOwner, largeBytes, conversationBytes, conversationTurns } = { ...defaultLimits, ...limits }
  const makeRoom = async (ofUsers: RawBuilder<unknown>): Promise<void> => {
    await sql`
      delete from stored_responses old using (
        select user_id, id, sum(bytes) over (partition by user_id order by created_at desc, id) as total
        from stored_responses where user_id in (${ofUsers})
      ) listed
      where listed.user_id = old.user_id and listed.id = old.id and listed.total > ${bytesOfOwner}`.execute(db)
  }
  const find = async (userId: string, id: string): Promise<StoredResponse | undefined> => {
    const { rows } = await sql<Row>`
      select id, previous_id, input, response from stored_responses
      where user_id = ${userId} and id = ${id}`.execute(db)
    return rows[0] && storedOf(rows[0])
  }
  return {
    find,
    async add(userId, { previousId, input, response }) {
      const [asked, answered] = [JSON.stringify(input), JSON.stringify(response)]
      const itemIds = response.output.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
      const bytes = Buffer.byteLength(asked) + Buffer.byteLength(answered)
      await sql`
        insert into stored_responses (user_id, id, previous_id, input, response, item_ids, bytes)
        values (${userId}, ${response.id}, ${previousId ?? null}, ${asked}, ${answered}, ${itemIds}, ${bytes})
        on conflict do nothing`.execute(db)
      if (bytes >= largeBytes) await makeRoom(sql`select ${userId}`)
    },
    async conversation(userId, id) {
      const { rows } = await sql<Row>`
        with recursive turns as (
          select id, previous_id, input, response, bytes::bigint as total, 1 as nth
          from stored_responses where user_id = ${userId} and id = ${id}
          union all
          select older.id, older.previous_id, older.input, older.response, total + older.bytes, nth + 1
          from turns join stored_responses older on older.user_id = ${userId} and older.id = turns.previous_id
          where total + older.bytes <= ${conversationBytes} and nth < ${conversationTurns}
        )
        select id, previous_id, input, response from turns order by nth desc`.execute(db)
      const isWhole = rows.length > 0 && rows[0]?.previous_id === null
      return isWhole ? rows.map(storedOf) : undefined
    },
    async items(userId, ids) {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<Pick<Row, 'response'>>`
        select response from (
          select response, sum(octet_length(response)) over (order by created_at desc, id) as total
          from stored_responses where user_id = ${userId} and item_ids && ${[...ids]}::text[]
        ) listed where total <= ${conversationBytes}`.execute(db)
      const output = rows.flatMap(({ response }) => (JSON.parse(response) as ResponseBody).output)
      return new Map(output.map((item) => [String(item.id), item]))
    },
    async *all(userId) {
      const { rows: listed } = await sql<Pick<Row, 'id'>>`
        select id from stored_responses where user_id = ${userId} order by created_at, id`.execute(db)
      for (const { id } of listed) {
        const stored = await find(userId, id)
        if (stored !== undefined) yield stored
      }
    },
    async remove(userId, id) {
      const { numAffectedRows } = await sql`
        delete from stored_responses where user_id = ${userId} and id = ${id}`.execute(db)
      return numAffectedRows === 1n
    },
    async sweep(days) {
      await sql`delete from stored_responses where created_at < now() - make_interval(days => ${days})`.execute(db)
      await makeRoom(sql`select user_id from stored_responses group by user_id having sum(bytes) > ${bytesOfOwner}`)
    },
  }
}

const storedOf = ({ previous_id: previousId, input, response }: Row): StoredResponse => ({
  previousId: previousId ?? undefined,
  input: JSON.parse(input),
  response: JSON.parse(response),
})
