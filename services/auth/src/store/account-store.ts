import type { authRoutes, EventOf, Locale } from '@parley/contracts'
import { isUniqueViolation, writeEvents } from '@parley/db'
import type { Call } from '@parley/kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import { usernameKey } from '../names.ts'
import { type Account, findAccount, hasRow, selectUsers, toAccount, updateAccount } from './account.ts'
import { holdSettings } from './administration/settings-store.ts'
import type { AuthTables } from './tables.ts'
import { allowPending } from './verification/pending.ts'
import { openVerification, type VerificationRequest } from './verification/verification-request.ts'

/** An account to be made. The keys say what makes names and addresses the same ones. */
export interface NewAccount {
  readonly id: string
  readonly username: string
  readonly usernameKey: string
  readonly email: string
  readonly emailKey: string
  /** Undefined for a user who signs in by an outside provider only. */
  readonly passwordHash?: string
  /** The browser in which it is made; undefined when unknown. */
  readonly locale?: Locale | null
  readonly registered: EventOf<'auth.user-registered'>
}
/** An account made by a visitor, who must confirm the address. */
export interface Registration extends NewAccount {
  readonly verification: VerificationRequest
  /** The browser that registers, which may then enter the code. */
  readonly pendingHash: Buffer
}
/** The value that another account has already. */
export type TakenName = 'username_taken' | 'email_taken'
/** The account that was made, and whether its address has to be confirmed first. */
export type Registered = { readonly account: Account; readonly verificationRequired: boolean }
/** A user's change of their own account; preferences are merged into the present ones. */
type ProfileChanges = Call<typeof authRoutes.updateProfile>['body']

/** Users and their passwords. */
export const createAccountStore = (db: Kysely<AuthTables>) => ({
  /**
   * Makes an account with its password, its event and, while the settings ask for it, its verification: all or nothing.
   * Of any number of parallel calls with one name or address exactly one succeeds, and none once registration was switched off.
   */
  async register(registration: Registration): Promise<Registered | TakenName | 'registration_disabled'> {
    try {
      return await db.transaction().execute(async (tx) => {
        const settings = await holdSettings(tx)
        if (!settings.registration.local) return 'registration_disabled'
        const account = await insertAccount(tx, registration, {})
        if (settings.emailVerificationRequired) {
          await openVerification(tx, account, registration.verification)
          await allowPending(tx, account.id, registration.pendingHash)
        }
        return { account, verificationRequired: settings.emailVerificationRequired }
      })
    } catch (error) {
      return takenName(error)
    }
  },

  /** Makes the verified super admin unless there is a super admin; false then. Replicas that start together make one. */
  async createSuperAdmin(admin: NewAccount): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('auth.super-admin', 0))`.execute(tx)
      if (await hasSuperAdmin(tx)) return false
      const verified = { email_verified: true, first_verified_at: new Date() }
      await insertAccount(tx, admin, { ...verified, is_admin: true, is_super_admin: true })
      return true
    })
  },

  hasSuperAdmin: (): Promise<boolean> => hasSuperAdmin(db),

  byId: (id: string): Promise<Account | undefined> => findAccount(db, id),

  /** The account and its password's hash; the hash is undefined for one that has no password. */
  async withPassword(
    by: { readonly usernameKey: string } | { readonly emailKey: string } | { readonly id: string },
  ): Promise<{ account: Account; passwordHash: string | undefined } | undefined> {
    const [column, value] =
      'id' in by
        ? (['users.id', by.id] as const)
        : 'emailKey' in by
          ? (['email_key', by.emailKey] as const)
          : (['username_key', by.usernameKey] as const)
    const row = await selectUsers(db)
      .leftJoin('credentials', 'credentials.user_id', 'users.id')
      .select('credentials.password_hash')
      .where(column, '=', value)
      .executeTakeFirst()
    return row && { account: toAccount(row), passwordHash: row.password_hash ?? undefined }
  },

  /** Undefined when there is no such user. */
  async changeProfile(id: string, changes: ProfileChanges): Promise<Account | 'username_taken' | undefined> {
    const { username, displayName, preferences } = changes
    try {
      return await updateAccount(db, id, {
        ...(username !== undefined && { username, username_key: usernameKey(username) }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(preferences && { preferences: sql<string>`preferences || ${JSON.stringify(preferences)}::jsonb` }),
        // An update must set something.
        id,
      })
    } catch (error) {
      if (isUniqueViolation(error, 'users_username_unique')) return 'username_taken'
      throw error
    }
  },
})

const hasSuperAdmin = (db: Kysely<AuthTables>): Promise<boolean> =>
  hasRow(db.selectFrom('users').select('id').where('is_super_admin', '=', true))

interface Privileges {
  readonly auth_type?: 'oauth'
  readonly email_verified?: boolean
  readonly first_verified_at?: Date
  readonly is_admin?: boolean
  readonly is_super_admin?: boolean
}

/** Inserts an account with its password and its event. @throws on a name or an address that is taken */
export async function insertAccount(
  tx: Transaction<AuthTables>,
  account: NewAccount,
  more: Privileges,
): Promise<Account> {
  const row = await tx
    .insertInto('users')
    .values({
      id: account.id,
      username: account.username,
      username_key: account.usernameKey,
      email: account.email,
      email_key: account.emailKey,
      preferences: JSON.stringify(account.locale ? { locale: account.locale } : {}),
      ...more,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { passwordHash } = account
  if (passwordHash !== undefined) {
    await tx.insertInto('credentials').values({ user_id: account.id, password_hash: passwordHash }).execute()
  }
  await writeEvents(tx, [account.registered])
  return toAccount({ ...row, has_password: passwordHash !== undefined })
}

function takenName(error: unknown): TakenName {
  if (isUniqueViolation(error, 'users_username_unique')) return 'username_taken'
  if (isUniqueViolation(error, 'users_email_unique')) return 'email_taken'
  throw error
}
