import { eventsIf } from '@parley/db'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { atGeneration, statusOf } from '../continued.ts'
import { type Continued, detailsOf, type NewGeneration } from '../entities.ts'
import type { Begun, GenerationSelection, GenerationStore, Lease } from '../generation-store.ts'
import { toChatRow } from './chats.ts'
import { createPgCheckpoints } from './checkpoints.ts'
import { continuedJson, progressColumns, toGeneration, toNewRow } from './generation-rows.ts'
import { toMessageRow } from './message-rows.ts'
import { type ChatTables, noParent } from './tables.ts'

/** Answers being made, on PostgreSQL. The event is an outbox row of the same transaction. */
export function createPgGenerationStore(db: Kysely<ChatTables>): GenerationStore {
  return {
    async begin(generation, lease, turn) {
      if (generation.continued !== null) return await reopen(db, generation, generation.continued, lease)
      const answer = JSON.stringify({ ...toNewRow(generation), lease_owner: lease.owner })
      const chat = turn?.newChat && JSON.stringify(toChatRow(turn.newChat))
      const question = turn?.message && JSON.stringify(toMessageRow(turn.message))
      const follows = turn?.follows === null ? noParent : turn?.follows
      const { rows } = await sql<{ begun: Begun }>`
        select begin_answer(
          ${turn !== undefined}, ${chat ?? null}::jsonb, ${question ?? null}::jsonb, ${follows ?? null}, ${answer}::jsonb, ${lease.ms}
        ) as begun`.execute(db)
      return rows[0]?.begun ?? 'exists'
    },
    async find(id, ownerId) {
      const row = await db
        .selectFrom('messages')
        .selectAll()
        .where(sql<SqlBool>`(id = ${id} or generation_ids @> array[${id}])`)
        .where('owner_id', '=', ownerId)
        .where('role', '=', 'assistant')
        .executeTakeFirst()
      return row && atGeneration(toGeneration(row), id)
    },
    checkpoint: createPgCheckpoints(db),
    async finish(id, leaseOwner, progress, ending, event) {
      const finish = db
        .updateTable('messages')
        .set({
          ...progressColumns(progress),
          status: statusOf(ending),
          generation: sql`generation || ${JSON.stringify(detailsOf(progress))}::jsonb || ${JSON.stringify({ ending })}::jsonb`,
          lease_until: null,
          settlement_open: sql<boolean>`generation -> 'guest' <> 'null'`,
        })
        .where('id', '=', id)
        .where('status', '=', 'generating')
        .where('lease_owner', '=', leaseOwner)
        .returning('id')
      const rows = await db
        .with('finished', () => finish)
        .with('written', () => eventsIf(sql`exists (select from finished)`, event === undefined ? [] : [event]))
        .selectFrom('finished')
        .select('id')
        .execute()
      return rows.length > 0
    },
    async noteSettled(id, credits, generationId = id) {
      await db
        .updateTable('messages')
        .set({
          settlement_open: false,
          generation: sql`jsonb_set(generation, '{ending,credits}', ${JSON.stringify(credits)}::jsonb)`,
        })
        .where('id', '=', id)
        .where('status', '<>', 'generating')
        .where(sql`coalesce(generation #>> '{continued,id}', id)`, '=', generationId)
        .execute()
    },
    async requestStop(selection, reason) {
      // Locked in the order of checkpoints, so that neither waits for the other.
      const running = db
        .selectFrom('messages')
        .select('id')
        .where('status', '=', 'generating')
        .where(selected(selection))
        .orderBy('id')
        .forUpdate()
      const rows = await db
        .with('running', () => running)
        .updateTable('messages')
        .set({ stop_requested: sql`coalesce(stop_requested, ${reason})` })
        .where('status', '=', 'generating')
        .where('id', 'in', (from) => from.selectFrom('running').select('id'))
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

async function reopen(db: Kysely<ChatTables>, generation: NewGeneration, continued: Continued, lease: Lease) {
  const { id, chatId, guest, model } = generation
  const made = JSON.stringify(continuedJson(generation))
  const known = continued.earlier.at(-1)?.id ?? id
  const { rows } = await sql<{ begun: Begun }>`
    select continue_answer(
      ${guest === null}, ${chatId}, ${id}, ${known}, ${continued.id}, ${model}, ${made}::jsonb, ${lease.owner}, ${lease.ms}
    ) as begun`.execute(db)
  return rows[0]?.begun ?? 'gone'
}

/** By the database's clock, which is the same for all replicas. */
export const leaseEnd = (lease: Lease) => sql<Date>`now() + ${lease.ms} * interval '1 millisecond'`

const selected = (selection: GenerationSelection) => (where: ExpressionBuilder<ChatTables, 'messages'>) => {
  if ('chatIds' in selection) return sql<SqlBool>`chat_id = any(${[...selection.chatIds]})`
  const owned = where('owner_id', '=', selection.ownerId)
  return where.and([
    owned,
    'id' in selection ? where('id', '=', selection.id) : where('created_at', '<=', selection.until),
  ])
}
