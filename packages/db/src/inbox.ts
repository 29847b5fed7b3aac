import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { Statement } from './postgres.ts'

/** Each new note takes two old ones with it: the table stays bounded without a job that sweeps it. */
const note = `
  with swept as (
    delete from inbox where ctid in (
      select ctid from inbox where at < now() - interval '30 days' order by at
      limit 2 * cardinality($2::text[]) for update skip locked
    )
  )
  insert into inbox (consumer_group, event_id) select $1, unnest($2::text[])`

/** Notes that a group has seen events, as a statement of a transaction: it fails when one of them is noted already. */
export const inboxStatement = (group: string, eventIds: readonly string[]): Statement => ({
  name: 'note-events',
  text: note,
  values: [group, eventIds],
})

/**
 * Runs `effect` unless this group has seen the event, in one transaction with the note that it has: however often and by however many
 * replicas an event is handed out, its effect happens once. An effect that throws is undone and may come again.
 * Notes are kept 30 days; an event must not be handed out later than that.
 * @returns whether the effect ran
 */
export async function onceInInbox<DB>(
  db: Kysely<DB>,
  group: string,
  eventId: string,
  effect: (tx: Transaction<DB>) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const noted = await noteInInbox(tx, group, eventId)
    if (noted) await effect(tx)
    return noted
  })
}

/** Notes in a transaction that a group has seen an event, or done once what has this id; false when it is noted already. */
export async function noteInInbox<DB>(tx: Transaction<DB>, group: string, eventId: string): Promise<boolean> {
  const noted = await tx.executeQuery(
    CompiledQuery.raw(`${note} on conflict do nothing returning 1`, [group, [eventId]]),
  )
  return noted.rows.length > 0
}
