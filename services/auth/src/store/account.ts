import type { Preferences, User } from '@parley/contracts'
import type { Selectable } from 'kysely'
import type { UsersTable } from './tables.ts'

/** A user as the store knows them; no secret is in it. */
export interface Account {
  readonly id: string
  readonly username: string
  /** What makes two names the same one. */
  readonly usernameKey: string
  readonly email: string
  readonly displayName: string | null
  readonly authType: User['authType']
  readonly emailVerified: boolean
  /** An address was confirmed at least once. */
  readonly everVerified: boolean
  readonly isAdmin: boolean
  readonly isSuperAdmin: boolean
  readonly isBanned: boolean
  /** Only what differs from the defaults. */
  readonly preferences: Partial<Preferences>
  readonly createdAt: Date
  readonly lastLoginAt: Date | null
}

/** A row of `users` in words of the domain. */
export const toAccount = (row: Selectable<UsersTable>): Account => ({
  id: row.id,
  username: row.username,
  usernameKey: row.username_key,
  email: row.email,
  displayName: row.display_name,
  authType: row.auth_type,
  emailVerified: row.email_verified,
  everVerified: row.first_verified_at !== null,
  isAdmin: row.is_admin,
  isSuperAdmin: row.is_super_admin,
  isBanned: row.banned_at !== null,
  preferences: row.preferences,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
})
