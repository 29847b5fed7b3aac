import { type Kysely, sql, type Transaction } from 'kysely'

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
    // Each new note takes two old ones with it: the table stays bounded without a job that sweeps it.
    const noted = await sql`
      with swept as (
        delete from inbox where ctid in (
          select ctid from inbox where at < now() - interval '30 days' order by at limit 2 for update skip locked
        )
      )
      insert into inbox (consumer_group, event_id) values (${group}, ${eventId}) on conflict do nothing returning 1
    `.execute(tx)
    if (noted.rows.length === 0) return false
    await effect(tx)
    return true
  })
}
