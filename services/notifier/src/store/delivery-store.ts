import { eventOf } from '@parley/bus'
import type { MailKind } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { newId } from '@parley/kit'
import { type Generated, type Kysely, sql } from 'kysely'

/** What a mail tells beside that which auth is asked for, by its kind. */
export type About = Readonly<Record<string, unknown>>
/** The schema `notifier` as its migrations make it. */
export interface NotifierTables {
  deliveries: {
    event_id: string
    kind: MailKind
    /** Null once it is dropped. */
    subject_id: string | null
    user_id: string | null
    about: string | null
    state: Generated<'queued' | 'sent' | 'failed' | 'dropped'>
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
  /** What it is about, at auth: a verification, a user, an export. */
  readonly subjectId: string
  /** Who is told, where the event names them. */
  readonly userId: string | null
  readonly about: About | null
}
/** A mail that this replica alone sends now. */
export interface ClaimedDelivery extends Delivery {
  /** This one included. */
  readonly attempts: number
  readonly ageSeconds: number
}
/** `refusal`: what the mail server said when it refused the mail for good. */
export type Settled =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'failed'; readonly error: string; readonly refusal: string | null }
/** How much waits. */
export interface QueueState {
  readonly queued: number
  /** Of the mail that waits longest; 0 when none does. */
  readonly oldestSeconds: number
}
/** See `createDeliveryStore`. */
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** Longer than any attempt may take: after this long its replica is dead. */
const claimSeconds = 120
const longestError = 500

/** The mails that events asked for, and what became of them. Times are the database's. */
export const createDeliveryStore = (db: Kysely<NotifierTables>) => ({
  /** Queues a mail unless the event already has one. */
  async queue({ eventId, kind, subjectId, userId, about }: Delivery): Promise<void> {
    await db
      .insertInto('deliveries')
      .values({
        event_id: eventId,
        kind,
        subject_id: subjectId,
        user_id: userId,
        about: about && JSON.stringify(about),
      })
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
      returning event_id as "eventId", kind, subject_id as "subjectId", user_id as "userId", about, attempts,
        extract(epoch from now() - created_at)::float8 as "ageSeconds"
    `.execute(db)
    return claimed.rows
  },

  /** The mail was handed over, or never will be: kept and told by an event in one act, and once. */
  async settle({ eventId, kind, subjectId }: Delivery, settled: Settled): Promise<void> {
    const failed = settled.outcome === 'failed' ? settled : { error: null, refusal: null }
    await db.transaction().execute(async (tx) => {
      const ended = await tx
        .updateTable('deliveries')
        .set({
          state: settled.outcome,
          finished_at: sql`now()`,
          claimed_until: null,
          last_error: shortened(failed.error),
        })
        .where('event_id', '=', eventId)
        .where('state', '=', 'queued')
        .returning('event_id')
        .executeTakeFirst()
      if (ended === undefined) return
      const data = { kind, subjectId, outcome: settled.outcome, reason: shortened(failed.refusal) }
      await writeEvents(tx, [eventOf('notifier.mail-settled', subjectId, data, { id: newId(), at: new Date() })])
    })
  },

  /** There is nobody to tell any more: nothing of the mail is kept but that its event had its turn. */
  async drop(eventId: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set({
        state: 'dropped',
        finished_at: sql`now()`,
        claimed_until: null,
        last_error: null,
        subject_id: null,
        user_id: null,
        about: null,
      })
      .where('event_id', '=', eventId)
      .where('state', '=', 'queued')
      .execute()
  },

  /** The mail is tried again after a pause, unless another replica has taken it over since. */
  async postpone({ eventId, attempts }: ClaimedDelivery, delayMs: number, error: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set({
        next_attempt_at: sql<Date>`now() + make_interval(secs => ${delayMs / 1000})`,
        claimed_until: null,
        last_error: shortened(error),
      })
      .where('event_id', '=', eventId)
      .where('state', '=', 'queued')
      .where('attempts', '=', attempts)
      .execute()
  },

  /** How much waits, counted up to `most`. */
  async waiting(most: number): Promise<QueueState> {
    const { rows } = await sql<QueueState>`
      select count(*) as queued, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
      from (select created_at from deliveries where state = 'queued' order by next_attempt_at limit ${most}) as waiting
    `.execute(db)
    return rows[0] ?? { queued: 0, oldestSeconds: 0 }
  },

  /** Forgets what was settled over 30 days ago; events do not come again after that. */
  async sweep(): Promise<void> {
    await sql`delete from deliveries where state <> 'queued' and finished_at < now() - interval '30 days'`.execute(db)
  },
})

const shortened = (text: string | null): string | null => text?.slice(0, longestError) ?? null
