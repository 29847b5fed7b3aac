import type { Preferences, User } from '@parley/contracts'
import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely'
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
type AccountRow = Selectable<UsersTable> & { readonly has_password: boolean }

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

/** A query of users, in all columns that `firstAccount` reads. */
export const selectUsers = (db: Kysely<AuthTables>) => db.selectFrom('users').selectAll('users').select(hasPassword())

/** The account that a query finds or changes; undefined if there is none. */
export async function firstAccount(query: {
  executeTakeFirst(): Promise<AccountRow | undefined>
}): Promise<Account | undefined> {
  const row = await query.executeTakeFirst()
  return row && toAccount(row)
}

/** The account of a user; undefined if there is none. */
export const findAccount = (db: Kysely<AuthTables>, userId: string): Promise<Account | undefined> =>
  firstAccount(selectUsers(db).where('users.id', '=', userId))

/** The same, locked until the transaction ends. */
export const lockAccount = (tx: Kysely<AuthTables>, userId: string): Promise<Account | undefined> =>
  firstAccount(selectUsers(tx).where('users.id', '=', userId).forNoKeyUpdate())

/** The account of a user after a change; undefined if there is none. */
export const updateAccount = (
  db: Kysely<AuthTables>,
  userId: string,
  change: UpdateObject<AuthTables, 'users'>,
): Promise<Account | undefined> =>
  firstAccount(db.updateTable('users').set(change).where('id', '=', userId).returningAll().returning(hasPassword()))

/** Whether a query finds or changes a row. */
export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined
