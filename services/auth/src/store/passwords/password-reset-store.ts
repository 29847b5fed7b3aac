import type { EventOf } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { type Kysely, sql } from 'kysely'
import { type Account, findAccount, firstAccount, selectUsers, updateAccount } from '../account.ts'
import type { AuthTables } from '../tables.ts'
import { addressConfirmed, closeVerifications } from '../verification/verification-request.ts'
import {
  closeResets,
  endSessions,
  lockUser,
  type NewPassword,
  resetAttempts,
  setPassword,
  unlinkIdentities,
} from './password-store.ts'

const linkMinutes = 30
/** A link is no longer mailed after this long. */
const mailedWithinHours = 24

/** A requested password reset. */
export interface ResetRequest {
  readonly id: string
  /** Null when nobody has the address; no link is made then. */
  readonly userId: string | null
  /** Makes notifier fetch a link and mail it. */
  readonly requested: EventOf<'auth.password-reset-requested'>
}
/** The token of a mailed link, and the address that it was sent to, in the form in which addresses are compared. */
export interface ShownLink {
  readonly tokenHash: Buffer
  readonly emailKey: string
}

/** Links for a new password. A user has one at a time; every age is measured by the database's clock. */
export const createPasswordResetStore = (db: Kysely<AuthTables>) => ({
  /** Begins a reset; an earlier one ends, and its link with it. An unknown address takes the same steps. */
  async request({ id, userId, requested }: ResetRequest): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const exists = await lockUser(tx, userId ?? '')
      await closeResets(tx, userId ?? '')
      await tx
        .insertInto('password_resets')
        .values({ id, user_id: exists ? userId : null })
        .execute()
      await writeEvents(tx, [requested])
    })
  },

  /** Replaces a token's hash; undefined when nobody has the address or the request is over. The token lives 30 minutes. */
  async issue(id: string, tokenHash: Buffer): Promise<{ account: Account; expiresAt: Date } | undefined> {
    return await db.transaction().execute(async (tx) => {
      const issued = await tx
        .updateTable('password_resets')
        .set({
          token_hash: tokenHash,
          token_expires_at: sql<Date>`now() + make_interval(mins => ${linkMinutes})`,
        })
        .where('id', '=', id)
        .where('user_id', 'is not', null)
        .where('closed_at', 'is', null)
        .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${mailedWithinHours})`)
        .returning(['user_id', 'token_expires_at'])
        .executeTakeFirst()
      if (issued?.user_id == null || issued.token_expires_at === null) return undefined
      const account = await findAccount(tx, issued.user_id)
      return account && { account, expiresAt: issued.token_expires_at }
    })
  },

  /** The user whose password a link would set now; undefined for an invalid link. */
  find: (link: ShownLink): Promise<Account | undefined> => ownerOf(db, link),

  /**
   * Sets a password by a link, once, ends every session and unlinks single sign-on: the person who linked it may be another. The mailbox was proved with it: the address is verified.
   * @param refilled budgets of attempts that start over
   * @returns false, and nothing is done, when the link does not hold
   */
  async use(link: ShownLink, userId: string, password: NewPassword, refilled: readonly string[]): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      // Of two concurrent calls one waits here, and then finds the link used.
      await lockUser(tx, userId)
      if ((await ownerOf(tx, link))?.id !== userId) return false
      await updateAccount(tx, userId, addressConfirmed)
      await closeVerifications(tx, userId)
      await setPassword(tx, userId, password)
      await unlinkIdentities(tx, userId)
      await resetAttempts(tx, refilled)
      await endSessions(tx, userId)
      return true
    })
  },
})

const ownerOf = (db: Kysely<AuthTables>, { tokenHash, emailKey }: ShownLink): Promise<Account | undefined> =>
  firstAccount(
    selectUsers(db)
      .innerJoin('password_resets', 'password_resets.user_id', 'users.id')
      .where('token_hash', '=', tokenHash)
      .where('closed_at', 'is', null)
      .where('token_expires_at', '>', sql<Date>`now()`)
      .where('email_key', '=', emailKey),
  )
