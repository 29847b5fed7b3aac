import { eventsIf, outboxStatement, type PostgresDatabase } from '@parley/db'
import { type RawBuilder, sql } from 'kysely'
import type { Claim, RepeatableRequest, RequestStore, WholeAnswer } from './request-store.ts'
import type { LlmRouterTables } from './tables.ts'

const lease = sql`now() + interval '1 minute'`
const day = sql`interval '24 hours'`

interface Row {
  readonly body_hash: Buffer
  readonly is_answered: boolean
  readonly generation_id: string
}

/** Requests in PostgreSQL. */
export const createPgRequestStore = ({
  db,
  pipelined,
}: Pick<PostgresDatabase<LlmRouterTables>, 'db' | 'pipelined'>): RequestStore => ({
  async recordFinished(events) {
    await pipelined((send) => send(outboxStatement(events)))
  },
  async claim(request): Promise<Claim> {
    const { keyId, idempotencyKey, userId, bodyHash, generationId } = request
    const taken = await db.transaction().execute(async (tx) => {
      // An erasure waits for claims in progress, so that it finds and removes them.
      await sql`select pg_advisory_xact_lock_shared(hashtextextended('llm-router.erase:' || ${userId}::text, 0))`.execute(
        tx,
      )
      return await sql`
      insert into idempotent_requests as old
        (key_id, idempotency_key, user_id, body_hash, generation_id, lease_until)
      select ${keyId}, ${idempotencyKey}, ${userId}, ${bodyHash}, ${generationId}, ${lease}
      where not ${isErased(userId)}
      on conflict (key_id, idempotency_key) do update set
        body_hash = excluded.body_hash, generation_id = excluded.generation_id, lease_until = excluded.lease_until,
        headers = null, body = null, created_at = now()
      where old.created_at < now() - ${day} or (old.body is null and old.lease_until < now())
      returning 1`.execute(tx)
    })
    if (taken.rows.length > 0) return 'own'
    const { rows } = await sql<Row>`
      select body_hash, body is not null as is_answered, generation_id from idempotent_requests
      where key_id = ${keyId} and idempotency_key = ${idempotencyKey}`.execute(db)
    const [row] = rows
    if (row === undefined) {
      const { rows: erased } = await sql`select where ${isErased(userId)}`.execute(db)
      return erased.length > 0 ? 'erased' : { running: undefined }
    }
    if (!row.body_hash.equals(bodyHash)) return 'other-body'
    return row.is_answered ? { answered: row.generation_id } : { running: row.generation_id }
  },
  async answer({ keyId, idempotencyKey }, generationId) {
    const { rows } = await sql<WholeAnswer>`
      select headers, body from idempotent_requests
      where ${isOwn({ keyId, idempotencyKey, generationId })} and body is not null`.execute(db)
    return rows[0]
  },
  async isRunning({ keyId, idempotencyKey }, generationId) {
    const { rows } = await sql`
      select where exists (
        select from idempotent_requests
        where ${isOwn({ keyId, idempotencyKey, generationId })} and body is null and lease_until >= now()
      )`.execute(db)
    return rows.length > 0
  },
  async extend(request) {
    await sql`update idempotent_requests set lease_until = ${lease} where ${isOwn(request)}`.execute(db)
  },
  async keep(request, { headers, body }, event) {
    await sql`
      with kept as (
        update idempotent_requests set headers = ${JSON.stringify(headers)}::jsonb, body = ${body}
        where ${isOwn(request)}
      ), recorded as ${eventsIf(sql`true`, [event])}
      select from recorded`.execute(db)
  },
  async release(request) {
    await sql`delete from idempotent_requests where ${isOwn(request)} and body is null`.execute(db)
  },
  async sweep() {
    await sql`delete from idempotent_requests where created_at < now() - ${day}`.execute(db)
  },
})

const isErased = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from erased_users where id_hash = user_hash(${userId}))`

type OwnedClaim = Pick<RepeatableRequest, 'keyId' | 'idempotencyKey' | 'generationId'>

const isOwn = ({ keyId, idempotencyKey, generationId }: OwnedClaim): RawBuilder<unknown> =>
  sql`key_id = ${keyId} and idempotency_key = ${idempotencyKey} and generation_id = ${generationId}`
