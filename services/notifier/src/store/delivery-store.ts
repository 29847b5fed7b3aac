import { type Generated, type Kysely, sql } from 'kysely'

/** What a mail is about. */
export type MailKind = 'verification' | 'email-changed'
/** The schema `notifier` as its migrations make it. */
export interface NotifierTables {
  deliveries: {
    event_id: string
    kind: MailKind
    subject_id: string
    state: Generated<'queued' | 'sent' | 'failed'>
    attempts: Generated<number>
    created_at: Generated<Date>
    next_attempt_at: Generated<Date>
    claimed_until: Date | null
    finished_at: Date | null
    last_error: string | null
  }
}
/** A mail to be sent. */
export interface Delivery {
  readonly eventId: string
  readonly kind: MailKind
  readonly subjectId: string
}
/** A mail that this replica alone sends now. */
export interface ClaimedDelivery extends Delivery {
  /** This one included. */
  readonly attempts: number
  readonly ageSeconds: number
}
/** See `createDeliveryStore`. */
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** Longer than any attempt may take: after this long its replica is dead. */
const claimSeconds = 120
const longestError = 500

/** The mails that events asked for, and what became of them. Times are the database's. */
export const createDeliveryStore = (db: Kysely<NotifierTables>) => ({
  /** Queues a mail unless the event already has one. */
  async queue({ eventId, kind, subjectId }: Delivery): Promise<void> {
    await db
      .insertInto('deliveries')
      .values({ event_id: eventId, kind, subject_id: subjectId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  /** Takes mails that are due, oldest first; no other replica gets them until they are settled or this one is dead. */
  async claim(limit: number): Promise<ClaimedDelivery[]> {
    const claimed = await sql<ClaimedDelivery>`
      update deliveries set attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${claimSeconds})
      where event_id in (
        select event_id from deliveries
        where state = 'queued' and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
        order by next_attempt_at limit ${limit} for update skip locked
      )
      returning event_id as "eventId", kind, subject_id as "subjectId", attempts,
        extract(epoch from now() - created_at)::float8 as "ageSeconds"
    `.execute(db)
    return claimed.rows
  },

  /** The mail was handed over, or never will be. @param error why not */
  async finish(eventId: string, state: 'sent' | 'failed', error?: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set({ state, finished_at: sql`now()`, claimed_until: null, last_error: error?.slice(0, longestError) ?? null })
      .where('event_id', '=', eventId)
      .execute()
  },

  /** The mail is tried again after a pause. */
  async postpone(eventId: string, delayMs: number, error: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set({
        next_attempt_at: sql<Date>`now() + make_interval(secs => ${delayMs / 1000})`,
        claimed_until: null,
        last_error: error.slice(0, longestError),
      })
      .where('event_id', '=', eventId)
      .execute()
  },

  /** Forgets what was settled over 30 days ago; events do not come again after that. */
  async sweep(): Promise<void> {
    await sql`delete from deliveries where state <> 'queued' and finished_at < now() - interval '30 days'`.execute(db)
  },
})
