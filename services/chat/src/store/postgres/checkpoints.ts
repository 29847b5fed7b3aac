import { type Kysely, sql } from 'kysely'
import { type Checkpoint, checkpointKey, createCheckpoints, type SavedCheckpoint } from '../checkpoints.ts'
import { detailsOf, progressValues, type StopReason } from '../entities.ts'
import type { GenerationStore } from '../generation-store.ts'
import type { ChatTables } from './tables.ts'

/** Checkpoints on PostgreSQL: those that come together are one statement and one commit. */
export function createPgCheckpoints(db: Kysely<ChatTables>): GenerationStore['checkpoint'] {
  return createCheckpoints({ save: (asked) => save(db, asked), isFaultOfOne })
}

/** PostgreSQL's class of errors for values it cannot take. */
const isFaultOfOne = (error: unknown): boolean => String((error as { code?: unknown } | null)?.code).startsWith('22')

async function save(db: Kysely<ChatTables>, asked: readonly Checkpoint[]): Promise<Map<string, SavedCheckpoint>> {
  // Locked in one order, so that two that change many rows cannot wait for each other.
  const { rows } = await sql<{ id: string; lease_owner: string; stop_requested: StopReason | null }>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(asked.map(toCheckpointRow))}::jsonb) as
        a (id text, owner text, ms double precision, content text, reasoning text, frames jsonb, events jsonb, search jsonb, attachments jsonb, model text, made jsonb)
    ), held as (
      select m.id from messages m join asked a on a.id = m.id and a.owner = m.lease_owner
      where m.status = 'generating' order by m.id for update of m
    )
    update messages m set
      lease_until = now() + a.ms * interval '1 millisecond',
      content = coalesce(a.content, m.content),
      reasoning = coalesce(a.reasoning, m.reasoning),
      frames = coalesce(a.frames, m.frames),
      events = coalesce(a.events, m.events),
      search = coalesce(a.search, m.search),
      attachments = coalesce(a.attachments, m.attachments),
      model = coalesce(a.model, m.model),
      generation = m.generation || coalesce(a.made, '{}')
    from asked a
    where a.id = m.id and a.owner = m.lease_owner and m.status = 'generating' and m.id in (select id from held)
    returning m.id, m.lease_owner, m.stop_requested
  `.execute(db)
  return new Map(rows.map((row) => [checkpointKey(row.id, row.lease_owner), { stop: row.stop_requested }]))
}

const toCheckpointRow = ({ id, lease, progress }: Checkpoint) => ({
  id,
  owner: lease.owner,
  ms: lease.ms,
  ...(progress && { ...progressValues(progress), made: detailsOf(progress) }),
})
