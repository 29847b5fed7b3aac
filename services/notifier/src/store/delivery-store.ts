import { eventOf } from '@parley/bus'
import type { MailKind, MailQueue } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { newId } from '@parley/kit'
import { type Generated, type Kysely, sql } from 'kysely'

/** The facts of a mail that come from the event rather than from auth; the shape depends on the kind. */
export type About = Readonly<Record<string, unknown>>
/** The tables of the schema `notifier`. */
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
  /** The id of its subject in auth: a verification, a user, an export. */
  readonly subjectId: string
  /** The recipient, if the event names one. */
  readonly userId: string | null
  readonly about: About | null
}
/** A mail claimed by this replica. */
export interface ClaimedDelivery extends Delivery {
  /** This one included. */
  readonly attempts: number
  readonly ageSeconds: number
}
/** The outcome of a mail. `refusal` is the SMTP server's response to a permanent failure. */
export type Settled =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'failed'; readonly error: string; readonly refusal: string | null }
/** The length and age of the queue. */
export interface QueueState {
  readonly queued: number
  /** The age of the oldest mail; 0 for an empty queue. */
  readonly oldestSeconds: number
  /** Why the last attempt to send the oldest mail failed; null before the first. */
  readonly reason: string | null
}
type SettledMails = NonNullable<MailQueue['settled']>
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/**
 * Several times as long as an attempt, which ends after little more than a minute: a claim this old belongs to a dead replica, or to one that has not
 * reached the database since.
 */
const claimSeconds = 300
const longestError = 500

/** The mail queue and the outcomes of mails. Times are by the database's clock. */
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

  /**
   * Claims due mails, oldest first; no other replica gets them until they are settled or the claim expires.
   * @param atHand ids of the events whose mails this replica has at hand; it does not get them again, even if their claims have expired
   */
  async claim(limit: number, atHand: readonly string[]): Promise<ClaimedDelivery[]> {
    const claimed = await sql<ClaimedDelivery>`
      update deliveries set attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${claimSeconds})
      where event_id in (
        select event_id from deliveries
        where state = 'queued' and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
          and event_id <> all(${[...atHand]})
        order by next_attempt_at limit ${limit} for update skip locked
      )
      returning event_id as "eventId", kind, subject_id as "subjectId", user_id as "userId", about, attempts,
        extract(epoch from now() - created_at)::float8 as "ageSeconds"
    `.execute(db)
    return claimed.rows
  },

  /** Records that a mail was sent or has failed, and publishes the event in the same transaction, once. */
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

  /** Drops a mail without a recipient. Only the event's id is kept, for deduplication. */
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

  /** Schedules a retry, unless another replica has claimed the mail since. */
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

  /** The state of the queue, counted up to `most`. */
  async waiting(most: number): Promise<QueueState> {
    const { rows } = await sql<QueueState>`
      select count(*) as queued, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds",
        (array_agg(last_error order by created_at))[1] as reason
      from (
        select created_at, last_error from deliveries where state = 'queued' order by next_attempt_at limit ${most}
      ) as waiting
    `.execute(db)
    return rows[0] ?? { queued: 0, oldestSeconds: 0, reason: null }
  },

  /** What became of the latest mails, up to `most` of the last 24 hours. */
  async settled(most: number): Promise<SettledMails> {
    const { rows } = await sql<SettledMails>`
      select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
        (array_agg(last_error order by finished_at desc) filter (where state = 'failed'))[1] as reason
      from (
        select state, last_error, finished_at from deliveries
        where state <> 'queued' and finished_at > now() - interval '24 hours' order by finished_at desc limit ${most}
      ) as latest
    `.execute(db)
    return rows[0] ?? { sent: 0, failed: 0, reason: null }
  },

  /** Deletes rows settled over 30 days ago, when their events are no longer redelivered. */
  async sweep(): Promise<void> {
    await sql`delete from deliveries where state <> 'queued' and finished_at < now() - interval '30 days'`.execute(db)
  },
})

/** Well-formed: an event with half a character could never be stored, and its mail never be settled. */
const shortened = (text: string | null): string | null => text?.slice(0, longestError).toWellFormed() ?? null
