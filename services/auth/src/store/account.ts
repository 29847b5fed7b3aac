import type { Preferences, User } from '@parley/contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AuthTables, UsersTable } from './tables.ts'

/** A user as the store knows them; no secret is in it. */
export interface Account {
  readonly id: string
  readonly username: string
  /** The form under which two names count as the same. */
  readonly usernameKey: string
  readonly email: string
  readonly displayName: string | null
  readonly authType: User['authType']
  readonly emailVerified: boolean
  /** Why mails to the address do not arrive; null while they do. */
  readonly emailProblem: string | null
  /** An address was confirmed at least once. */
  readonly everVerified: boolean
  /** A user who only ever signed in by single sign-on has none. */
  readonly hasPassword: boolean
  readonly isAdmin: boolean
  readonly isSuperAdmin: boolean
  readonly isBanned: boolean
  /** Only values that differ from the defaults. */
  readonly preferences: Partial<Preferences>
  readonly createdAt: Date
  readonly lastLoginAt: Date | null
}

/** A row of `users` with `hasPassword` beside it. */
export type AccountRow = Selectable<UsersTable> & { readonly has_password: boolean }

/** To be selected, or returned, beside all columns of `users`. @param users its name in the query */
export const hasPassword = (users = 'users') =>
  sql<boolean>`exists (select 1 from credentials where credentials.user_id = ${sql.ref(`${users}.id`)})`.as(
    'has_password',
  )

/** A row of `users` in words of the domain. */
export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  username: row.username,
  usernameKey: row.username_key,
  email: row.email,
  displayName: row.display_name,
  authType: row.auth_type,
  emailVerified: row.email_verified,
  emailProblem: row.email_problem,
  everVerified: row.first_verified_at !== null,
  hasPassword: row.has_password,
  isAdmin: row.is_admin,
  isSuperAdmin: row.is_super_admin,
  isBanned: row.banned_at !== null,
  preferences: row.preferences,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
})

const rowOf = (db: Kysely<AuthTables>, userId: string) =>
  db.selectFrom('users').selectAll().select(hasPassword()).where('id', '=', userId)

/** The account of a user; undefined if there is none. */
export async function findAccount(db: Kysely<AuthTables>, userId: string): Promise<Account | undefined> {
  const row = await rowOf(db, userId).executeTakeFirst()
  return row && toAccount(row)
}

/** The same, locked until the transaction ends. */
export async function lockAccount(tx: Kysely<AuthTables>, userId: string): Promise<Account | undefined> {
  const row = await rowOf(tx, userId).forNoKeyUpdate().executeTakeFirst()
  return row && toAccount(row)
}
