import type { EventOf } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import { hasRow } from '../account.ts'
import { withdrawExports } from '../account-data/data-export-end.ts'
import type { AuthTables } from '../tables.ts'

/** A password that takes the place of another, or of none. */
export interface NewPassword {
  readonly hash: string
  /** Notifies the owner. */
  readonly changed: EventOf<'auth.password-changed'>
}

/** Passwords as their owners and operators set them. */
export const createPasswordStore = (db: Kysely<AuthTables>) => ({
  /**
   * Sets another password and ends every session but one. False, and nothing done, when the password is not any more
   * the one that was proved.
   */
  async change(
    userId: string,
    change: NewPassword & { readonly proved: string; readonly keptSessionId: string },
  ): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      if ((await passwordHashOf(tx, userId)) !== change.proved) return false
      await setPassword(tx, userId, change)
      await endSessions(tx, userId, change.keptSessionId)
      return true
    })
  },

  /** Sets a password from outside the product, unlinks single sign-on and ends every session. False when there is no such user. */
  async replace(userId: string, password: NewPassword): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) return false
      await setPassword(tx, userId, password)
      await unlinkIdentities(tx, userId)
      await resetAttempts(tx, [`account:${userId}`])
      await endSessions(tx, userId)
      return true
    })
  },
})

/** Changes of one user's secrets wait for each other, and sign-ins with the old password for them. False when there is no such user. */
export const lockUser = (tx: Transaction<AuthTables>, userId: string): Promise<boolean> =>
  hasRow(tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate())

/** Sets a password; what else could lead into the account or to its data ends: mailed links and browsers that wait for a code. The user is locked. */
export async function setPassword(
  tx: Transaction<AuthTables>,
  userId: string,
  { hash, changed }: NewPassword,
): Promise<void> {
  await sql`
    insert into credentials (user_id, password_hash, changed_at) values (${userId}, ${hash}, now())
    on conflict (user_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at
  `.execute(tx)
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  await closeResets(tx, userId)
  await withdrawExports(tx, userId)
  await writeEvents(tx, [changed])
}

/** The person who linked single sign-on, or is about to, may not be the one who set the password: it is linked again by that. The user is locked. */
export async function unlinkIdentities(tx: Transaction<AuthTables>, userId: string): Promise<void> {
  await tx.deleteFrom('oauth_links').where('user_id', '=', userId).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute()
  await tx.updateTable('users').set({ auth_type: 'local' }).where('id', '=', userId).execute()
}

/** The hash of a user's present password; undefined when there is none. */
export async function passwordHashOf(tx: Transaction<AuthTables>, userId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('credentials')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.password_hash
}

/** Ends the links for a new password that were mailed to a user. */
export async function closeResets(tx: Transaction<AuthTables>, userId: string): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ closed_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute()
}

/** Of sessions that have not ended. */
export const isLive = sql<boolean>`ended_at is null and expires_at > now()`

/** Ends the live sessions of a user, but one that is kept. Resolves to how many. */
export async function endSessions(db: Kysely<AuthTables>, userId: string, keptId?: string): Promise<number> {
  let ending = db.updateTable('sessions').set({ ended_at: sql`now()` }).where('user_id', '=', userId).where(isLive)
  if (keptId !== undefined) ending = ending.where('id', '!=', keptId)
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Restarts budgets of attempts, which are given in the order in which they are taken. */
export async function resetAttempts(tx: Transaction<AuthTables>, keys: readonly string[]): Promise<void> {
  for (const key of keys) await tx.deleteFrom('sign_in_tries').where('key', '=', key).execute()
}
