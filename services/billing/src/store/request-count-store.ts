import type { LimitArea, RequestCount } from '@parley/contracts'
import { onceInInbox } from '@parley/db'
import { type Kysely, sql } from 'kysely'
import type { RecordedRequests, WindowLimit } from '../limits/preview.ts'
import type { BillingDatabase } from './schema.ts'

/** The subjects to read. */
export interface PageOfRequests extends WindowLimit {
  readonly area: LimitArea
  readonly from: Date
  readonly after: Pick<RecordedRequests, 'subject' | 'kind'> | undefined
  readonly limit: number
}

const minutesOfHour = 60
const inboxGroup = 'billing.request-counts'

/** Limited requests of each subject by minute, for the last eight days. */
export const createRequestCountStore = (db: Kysely<BillingDatabase>) => ({
  /** Adds counts to those of their minutes, once per id. Erased users are skipped. */
  async add(id: string, counts: readonly RequestCount[]): Promise<void> {
    await onceInInbox(db, inboxGroup, id, async (tx) => {
      // Serialised with erasures: earlier ones are seen, and later ones find the added rows.
      const users = [...new Set(counts.flatMap(({ userId }) => userId ?? []))].sort()
      await sql`
        select pg_advisory_xact_lock_shared(hashtextextended('billing.erase:' || id, 0)) from unnest(${users}::text[]) as id
      `.execute(tx)
      await sql`
        insert into request_hours as had (area, subject, kind, hour, user_id, times, counts)
        select area, subject, kind, to_timestamp(hour * 3600), "userId", times, counts
        from jsonb_to_recordset(${JSON.stringify(byHour(counts))}::jsonb) as n (area text, subject text, kind text, hour integer,
          "userId" text, times integer, counts integer[])
        where "userId" is null or not exists (select from erased_users where id_hash = user_hash("userId"))
        order by area, subject, kind, hour
        on conflict (area, subject, kind, hour) do update set counts = add_counts(had.counts, excluded.counts), times = excluded.times
      `.execute(tx)
    })
  },
  /** Number of subjects with a request since a moment. */
  async countSubjects(area: LimitArea, from: Date): Promise<number> {
    const { rows } = await sql<{ subjects: number }>`
      select count(distinct subject)::int as subjects from request_hours
      where area = ${area} and hour >= date_trunc('hour', ${from}::timestamptz)`.execute(db)
    return rows[0]?.subjects ?? 0
  },
  /** Requests since a moment of the subjects that this limit could have refused, by subject and kind, paged by `limit` and the last subject. */
  async page(wanted: PageOfRequests): Promise<readonly RecordedRequests[]> {
    const { area, from, windowMinutes, maxRequests, after, limit } = wanted
    const since = sql`area = ${area} and hour >= date_trunc('hour', ${from}::timestamptz)`
    const ofHour = sql`coalesce(total, (select sum(count) from unnest(counts) as count))`
    /** Hours by which a window may begin before the one in which it ends. */
    const earlier = Math.floor((windowMinutes + minutesOfHour - 2) / minutesOfHour)
    // Most subjects stay below a limit, in total or in the hours of every window: only the minutes of the others are collected.
    const { rows } = await sql<Omit<RecordedRequests, 'minutes'> & { hours: { hour: number; counts: number[] }[] }>`
      with busy as materialized (
        select subject, kind, max(times) as times from request_hours as had
        where ${since} and (subject, kind) > (${after?.subject ?? ''}, ${after?.kind ?? ''})
        group by subject, kind
        having sum(${ofHour}) > ${maxRequests} * max(times) and (
          select max(within) from (
            select sum(${ofHour}) over (order by hour range make_interval(hours => ${earlier}) preceding) as within
            from request_hours as own where ${since} and own.subject = had.subject and own.kind = had.kind
          ) as windows
        ) > ${maxRequests} * max(times)
        order by subject, kind limit ${limit}
      )
      select subject, kind, times, (
        select jsonb_agg(jsonb_build_object('hour', extract(epoch from hour)::bigint / 3600, 'counts', counts) order by hour)
        from request_hours as had where ${since} and had.subject = busy.subject and had.kind = busy.kind
      ) as hours
      from busy order by subject, kind`.execute(db)
    const first = Math.floor(from.getTime() / 60_000)
    return rows.map(({ hours, ...row }) => ({
      ...row,
      minutes: hours.flatMap(({ hour, counts }) =>
        counts.flatMap((count, index) => {
          const minute = hour * minutesOfHour + index
          return count > 0 && minute >= first ? [{ minute, count }] : []
        }),
      ),
    }))
  },
  /** Deletes data older than eight days. */
  async sweep(): Promise<void> {
    await sql`delete from request_hours where hour < now() - interval '8 days'`.execute(db)
  },
})

type HourOfRequests = Omit<RequestCount, 'minute' | 'count'> & { readonly hour: number; readonly counts: number[] }

/** One row per hour, subject and kind, because an upsert may affect a row only once. */
function byHour(counts: readonly RequestCount[]): readonly HourOfRequests[] {
  const hours = new Map<string, HourOfRequests>()
  for (const { minute, count, ...rest } of counts) {
    const hour = Math.floor(minute / minutesOfHour)
    const key = JSON.stringify([rest.area, rest.subject, rest.kind, hour])
    const row = hours.get(key) ?? { ...rest, hour, counts: Array.from({ length: minutesOfHour }, () => 0) }
    row.counts[minute % minutesOfHour] = (row.counts[minute % minutesOfHour] ?? 0) + count
    hours.set(key, row)
  }
  return [...hours.values()]
}
