import type { Event } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Account, hasPassword, toAccount } from './account.ts'
import { type AuditEntry, writeAudit } from './audit-store.ts'
import { endSessions } from './password-store.ts'
import type { AuthTables } from './tables.ts'

/** A user in the admin's list; `seq` is what the list's cursor points at. */
export type ListedAccount = Account & { readonly seq: number }
/** Numbers of users. */
export interface UserCounts {
  readonly totalUsers: number
  readonly bannedUsers: number
  readonly activeToday: number
  readonly oauthUsers: number
  readonly localUsers: number
}
/** What an admin decided about a user. */
export interface UserDecision {
  readonly change: { readonly banned: boolean } | { readonly isAdmin: boolean }
  readonly entry: AuditEntry
  readonly events: readonly Event[]
}

/** A page of the admin's list, and what is searched for. */
export interface UserPage {
  readonly query: string
  readonly limit: number
  readonly before: number | undefined
}

/** The query of a page of users. Exported for the test of its plan. */
export function pageOfUsers(db: Kysely<AuthTables>, { query, limit, before }: UserPage) {
  let select = db.selectFrom('users').selectAll().select(hasPassword()).orderBy('seq', 'desc').limit(limit)
  if (before !== undefined) select = select.where('seq', '<', before)
  if (query === '') return select
  const part = query.toLowerCase()
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  // Shorter ones have no trigram, and so many hits that a page of them is soon full.
  if ([...part].length >= 3)
    select = select.where(sql<boolean>`trigrams(username_key || chr(1) || email) @> trigrams(${part})`)
  return select.where((where) => where.or([where('username_key', 'like', pattern), where('email', 'like', pattern)]))
}

/** The users as admins see and change them. */
export const createUserAdminStore = (db: Kysely<AuthTables>) => ({
  /** Last registered first. @param query part of a username or address, taken literally @param before `seq` of the last one of the page before */
  async list(page: UserPage): Promise<ListedAccount[]> {
    return (await pageOfUsers(db, page).execute()).map((row) => ({ ...toAccount(row), seq: row.seq }))
  },

  /** Active today means seen since midnight UTC. */
  async counts(): Promise<UserCounts> {
    const counted = await sql<UserCounts>`
      select count(*) as "totalUsers",
        count(*) filter (where banned_at is not null) as "bannedUsers",
        count(*) filter (where last_seen_at >= date_trunc('day', now(), 'UTC')) as "activeToday",
        count(*) filter (where auth_type = 'oauth') as "oauthUsers",
        count(*) filter (where auth_type = 'local') as "localUsers"
      from users
    `.execute(db)
    if (counted.rows[0] === undefined) throw new Error('count gave no row')
    return counted.rows[0]
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
      const row = await lockedUser(tx, userId)
      if (row === undefined) return undefined
      const before = toAccount(row)
      const { change, entry, events } = decide(before)
      const set =
        'banned' in change ? { banned_at: change.banned ? sql<Date>`now()` : null } : { is_admin: change.isAdmin }
      const present = 'banned' in change ? before.isBanned === change.banned : before.isAdmin === change.isAdmin
      if (present) return { account: before, changed: false }
      const after = await tx
        .updateTable('users')
        .set(set)
        .where('id', '=', userId)
        .returningAll()
        .returning(hasPassword())
        .executeTakeFirstOrThrow()
      const was = 'banned' in change ? { banned: before.isBanned } : { isAdmin: before.isAdmin }
      await writeAudit(tx, { ...entry, before: was, after: change })
      await writeEvents(tx, events)
      return { account: toAccount(after), changed: true }
    })
  },

  /**
   * Ends every session of a user, and what their browsers might still do with a code, with the audit entry. Resolves to
   * how many; undefined when there is no such user. Nothing is written when `entryFor` throws, or when none was alive.
   */
  async signOut(userId: string, entryFor: (target: Account) => AuditEntry): Promise<number | undefined> {
    return await db.transaction().execute(async (tx) => {
      const row = await lockedUser(tx, userId)
      if (row === undefined) return undefined
      const entry = entryFor(toAccount(row))
      await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
      const ended = await endSessions(tx, userId)
      if (ended > 0) await writeAudit(tx, { ...entry, before: null, after: { ended } })
      return ended
    })
  },
})

const lockedUser = (tx: Transaction<AuthTables>, userId: string) =>
  tx.selectFrom('users').selectAll().select(hasPassword()).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
