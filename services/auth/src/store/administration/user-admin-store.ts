import type { ActiveUsers, adminStatsSchema, authAdminRoutes, Event } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import type { Call, Page, Place } from '@parley/kit'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { type Account, lockAccount, selectUsers, toAccount, updateAccount } from '../account.ts'
import { endSessions, isLive } from '../passwords/password-store.ts'
import type { AuthTables } from '../tables.ts'
import { type AuditEntry, lockUndo, writeAudit } from './audit-store.ts'
import { microsOf, timeOfMicros } from './times.ts'

/** A user in the admin's list, with the place that the list's cursor points at. */
export type ListedAccount = Account & Place
type UserCounts = z.infer<typeof adminStatsSchema>
/** An admin's decision about a user. */
export interface UserDecision {
  readonly change: { readonly banned: boolean } | { readonly isAdmin: boolean }
  readonly entry: AuditEntry
  readonly events: readonly Event[]
}

type UserQuery = Call<typeof authAdminRoutes.users>['query']

/** The filters and the order of a list of users. `query` is part of a username or address, of any length, matched literally and regardless of case. */
export interface UserFilter extends Pick<UserQuery, 'query' | 'type' | 'sort' | 'order'> {
  readonly banned?: boolean | undefined
  readonly admin?: boolean | undefined
  /** Only these users. */
  readonly ids?: readonly string[] | undefined
}

const lastLogin = sql<Date>`coalesce(last_login_at, 'epoch'::timestamptz)`

/** The value that each order sorts by; ties are broken by number. */
const orders = {
  createdAt: { column: undefined, value: sql<string | null>`null` },
  username: { column: sql<string>`username_key collate "C"`, value: sql<string | null>`username_key` },
  lastLoginAt: { column: lastLogin, value: sql<string | null>`${microsOf(lastLogin)}` },
}

/** The query of a page of users. Exported for the test of its plan. */
export function pageOfUsers(db: Kysely<AuthTables>, { limit, after }: Page, filter: UserFilter) {
  const { column, value } = orders[filter.sort]
  let select = selectUsers(db).select(value.as('value')).limit(limit)
  if (column !== undefined) select = select.orderBy(column, filter.order)
  select = select.orderBy('seq', filter.order)
  if (after !== undefined) {
    const beyond = sql.raw(filter.order === 'asc' ? '>' : '<')
    const place = filter.sort === 'lastLoginAt' ? timeOfMicros(after.value) : sql`${after.value ?? ''}`
    select = select.where(
      column === undefined
        ? sql<boolean>`seq ${beyond} ${after.seq}`
        : sql<boolean>`(${column}, seq) ${beyond} (${place}, ${after.seq})`,
    )
  }
  return narrowed(select, filter)
}

function narrowed<Output>(
  select: SelectQueryBuilder<AuthTables, 'users', Output>,
  { query = '', banned, admin, type, ids }: UserFilter,
): SelectQueryBuilder<AuthTables, 'users', Output> {
  let narrow = select
  if (banned !== undefined) narrow = narrow.where('banned_at', banned ? 'is not' : 'is', null)
  if (admin !== undefined) narrow = narrow.where(admin ? sql<boolean>`is_admin` : sql<boolean>`not is_admin`)
  if (type !== undefined) narrow = narrow.where(sql<boolean>`auth_type = ${sql.lit(type)}`)
  if (ids !== undefined) narrow = narrow.where(sql<boolean>`id = any(${[...ids]})`)
  if (query === '') return narrow
  const part = query.toLowerCase()
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  const found = narrow.where((where) =>
    where.or([where('username_key', 'like', pattern), where('email', 'like', pattern)]),
  )
  // Users who are named are read by that, and making the parts of thousands of names takes seconds.
  if (ids !== undefined) return found
  const searched = sql`username_key || chr(1) || email`
  // One that nearly everybody has fills a page soon, and the planner, which knows, takes the order's index instead.
  return found.where(
    [...part].length < 3
      ? sql<boolean>`short_grams(${searched}) @> array[${part}]`
      : sql<boolean>`trigrams(${searched}) @> trigrams(${part})`,
  )
}

/** The users as admins see and change them. */
export const createUserAdminStore = (db: Kysely<AuthTables>) => ({
  async list(page: Page, filter: UserFilter): Promise<ListedAccount[]> {
    const rows = await pageOfUsers(db, page, filter).execute()
    return rows.map((row) => ({ ...toAccount(row), seq: row.seq, ...(row.value !== null && { value: row.value }) }))
  },

  /** The ids of such a page and their places, for looking through many users. */
  async places(page: Page, filter: UserFilter): Promise<(Place & { readonly id: string })[]> {
    const { value } = orders[filter.sort]
    const rows = await pageOfUsers(db, page, filter)
      .clearSelect()
      .select(['id', 'seq', value.as('value')])
      .execute()
    return rows.map(({ id, seq, value }) => ({ id, seq, ...(value !== null && { value }) }))
  },

  /** How many sessions of a user are alive. */
  async countSessions(userId: string): Promise<number> {
    const { count } = await db
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where(isLive)
      .executeTakeFirstOrThrow()
    return count
  },

  /** The names of users; those that are not known are not there. */
  names: (userIds: readonly string[]): Promise<{ userId: string; username: string }[]> =>
    userIds.length === 0
      ? Promise.resolve([])
      : db
          .selectFrom('users')
          .select(['id as userId', 'username'])
          .where('id', 'in', [...userIds])
          .execute(),

  /** Active today means seen since midnight UTC. */
  async counts(): Promise<UserCounts> {
    // Each by an index of its own: a scan of every user takes several times as long.
    const counted = await sql<UserCounts>`
      select "totalUsers", "newUsers", "bannedUsers", "newlyBanned", "activeToday", "oauthUsers",
        "totalUsers" - "oauthUsers" as "localUsers"
      from (select count(*) as "totalUsers" from users) as everybody,
        (select count(*) as "newUsers" from users where created_at > now() - interval '7 days') as fresh,
        (select count(*) as "bannedUsers", count(*) filter (where banned_at > now() - interval '7 days') as "newlyBanned"
          from users where banned_at is not null) as banned,
        (select count(*) as "activeToday" from users where last_seen_at >= date_trunc('day', now(), 'UTC')) as active,
        (select count(*) as "oauthUsers" from users where auth_type = 'oauth') as signed_on
    `.execute(db)
    if (counted.rows[0] === undefined) throw new Error('count gave no row')
    return counted.rows[0]
  },

  /** Seen today or in the 29 days before, UTC; by day as far as that was counted. */
  async activity(): Promise<ActiveUsers> {
    const { rows } = await sql<ActiveUsers>`
      select (select count(*) from users where last_seen_at >= date_trunc('day', now(), 'UTC') - interval '29 days') as "last30Days",
        (select coalesce(jsonb_agg(jsonb_build_object('date', day, 'users', users) order by day), '[]') from active_days
          where day > (now() at time zone 'UTC')::date - 30) as days
    `.execute(db)
    if (rows[0] === undefined) throw new Error('count gave no row')
    return rows[0]
  },

  /**
   * Changes a user as `decide` says of their present state, with the audit entry and the events, in one step.
   * Undefined when there is no such user. Nothing is written when `decide` throws, or when nothing changes.
   */
  async decide(
    userId: string,
    decide: (target: Account) => UserDecision,
  ): Promise<{ account: Account; changed: boolean } | undefined> {
    return await db.transaction().execute(async (tx) => {
      const before = await lockAccount(tx, userId)
      if (before === undefined) return undefined
      const { change, entry, events } = decide(before)
      await lockUndo(tx, entry, { banned: before.isBanned, isAdmin: before.isAdmin })
      const set =
        'banned' in change ? { banned_at: change.banned ? sql<Date>`now()` : null } : { is_admin: change.isAdmin }
      const present = 'banned' in change ? before.isBanned === change.banned : before.isAdmin === change.isAdmin
      if (present) return { account: before, changed: false }
      const account = await updateAccount(tx, userId, set)
      const was = 'banned' in change ? { banned: before.isBanned } : { isAdmin: before.isAdmin }
      await writeAudit(tx, { ...entry, before: was, after: change })
      await writeEvents(tx, events)
      return account && { account, changed: true }
    })
  },

  /**
   * Ends every session of a user, and the right of their browsers to enter codes, together with the audit entry. Resolves to
   * their number; undefined when there is no such user. Nothing is written when `entryFor` throws, or when none was alive.
   */
  async signOut(userId: string, entryFor: (target: Account) => AuditEntry): Promise<number | undefined> {
    return await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, userId)
      if (account === undefined) return undefined
      const entry = entryFor(account)
      await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
      const ended = await endSessions(tx, userId)
      if (ended > 0) await writeAudit(tx, { ...entry, before: null, after: { ended } })
      return ended
    })
  },
})
