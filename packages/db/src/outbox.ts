import { type Event, eventJson } from '@parley/contracts'
import type { OutboxSource } from '@parley/kit'
import { CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Statement } from './postgres.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'

/**
 * Writes events to the outbox, as a statement of a transaction. An event that is there already stays as it is: the caller may not know that an
 * earlier attempt was committed.
 * @throws when an event does not fit its schema or is too large
 */
export const outboxStatement = (events: readonly Event[]): Statement => ({
  name: 'write-events',
  text: `
    with written as (
      insert into outbox (id, key, event)
      select e.event ->> 'id', e.event ->> 'key', e.event
      from jsonb_array_elements($1::jsonb) with ordinality as e (event, nth)
      order by e.nth
      on conflict (id) do nothing
    )
    select pg_notify('outbox', current_schema)`,
  values: [jsonOf(events)],
})

const jsonOf = (events: readonly Event[]): string => `[${events.map(eventJson).join(',')}]`

/**
 * Writes events to the outbox in the caller's transaction: they are published if and only if it commits.
 * @param tx a Kysely transaction of the service's own schema
 * @throws when an event does not fit its schema or is too large; nothing is written then
 */
export async function writeEvents(tx: QueryExecutorProvider, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  const { text, values } = outboxStatement(events)
  await tx.getExecutor().executeQuery(CompiledQuery.raw(text, [...(values ?? [])]))
}

/**
 * Writes events to the outbox as a common table expression of the statement that makes the change: it needs no transaction then.
 * @param changed whether the change was made
 * @throws when an event does not fit its schema or is too large
 */
export const eventsIf = (changed: RawBuilder<unknown>, events: readonly Event[]): RawBuilder<object> => sql`(
  insert into outbox (id, key, event)
  select e.event ->> 'id', e.event ->> 'key', e.event
  from jsonb_array_elements(${jsonOf(events)}::jsonb) with ordinality as e (event, nth)
  where ${changed} order by e.nth
  returning pg_notify('outbox', current_schema)
)`

const readPending = { name: 'read-pending', text: 'select event from outbox order by position limit $1' }
const forgetPublished = { name: 'forget-published', text: 'delete from outbox where id = any($1)' }

/** A schema's outbox table, over a connection of its own, opened on demand and again after a loss; the exclusive right ends with it. */
export function openPgOutbox(
  options: Pick<SessionOptions, 'url' | 'schema' | 'log'>,
): Required<OutboxSource> & { close(): Promise<void> } {
  const { schema } = options
  const wakes = new Set<() => void>()
  let working = false
  let hasLostRight = false
  const session = openSession({
    ...options,
    onNotification: (payload) => {
      if (payload === schema) for (const wake of wakes) wake()
    },
    onLost: () => {
      hasLostRight = working
    },
  })
  /** Work that outlives its right would continue on the next connection, beside the replica that has the right by then. */
  const query: Session['query'] = async (statement) => {
    if (hasLostRight) throw new Error('The right to relay was lost with its connection')
    return await session.query(statement)
  }
  return {
    async pending(limit) {
      const rows = await query({ ...readPending, values: [limit] })
      return rows.map((row) => row.event as Event)
    },
    async published(ids) {
      await query({ ...forgetPublished, values: [ids] })
    },
    async exclusively(work) {
      // The lock is the connection's, so it would not keep out a second caller on this one.
      if (working) return false
      working = true
      try {
        return await withLock(session, `outbox:${schema}`, work)
      } finally {
        working = false
        hasLostRight = false
      }
    },
    onWritten(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    close: () => session.close(),
  }
}

async function withLock(session: Session, lock: string, work: () => Promise<void>): Promise<boolean> {
  const values = [lock]
  const [row] = await session.query({ text: 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held', values })
  if (row?.held !== true) return false
  try {
    await work()
  } finally {
    await session.query({ text: 'select pg_advisory_unlock(hashtextextended($1, 0))', values })
  }
  return true
}
