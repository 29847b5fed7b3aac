import type { EventOf } from '@parley/contracts'
import { isUniqueViolation, writeEvents } from '@parley/db'
import { type Kysely, sql } from 'kysely'
import { type Account, lockAccount, selectUsers, toAccount, updateAccount } from '../account.ts'
import { withdrawExports } from '../account-data/data-export-end.ts'
import { closeResets, passwordHashOf } from '../passwords/password-store.ts'
import type { AuthTables } from '../tables.ts'
import { openVerification, type VerificationRequest } from './verification-request.ts'

/** Changes of one account's address within an hour. */
export const changesPerHour = 5

/** A move of an account to another address. The key says what makes addresses the same one. */
export interface EmailChange {
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly verification: VerificationRequest
  /** Hash of the password that was proved; nothing else will do once an address of the account was confirmed. */
  readonly proved: string | undefined
  /** Written only when the replaced address was a verified one. */
  readonly changed: EventOf<'auth.email-changed'>
}

/** The result of a change: `same` when nothing changes, `unproved` when the password has changed meanwhile, `gone` without the user. */
export type ChangeOutcome = 'changed' | 'same' | 'email_taken' | 'too_often' | 'unproved' | 'gone'

/** Users' changes of their address. */
export const createEmailStore = (db: Kysely<AuthTables>) => ({
  /**
   * Moves a user to another, unverified address and begins its verification, in one step; at most 5 times an hour.
   * Does nothing for a user who already has the address, verified.
   */
  async change(userId: string, change: EmailChange): Promise<ChangeOutcome> {
    try {
      return await db.transaction().execute(async (tx) => {
        const user = await lockAccount(tx, userId)
        if (user === undefined) return 'gone'
        const { id, email, emailKey, proved } = change
        const isProved = proved !== undefined && proved === (await passwordHashOf(tx, userId))
        if (user.everVerified && !isProved) return 'unproved'
        if (user.emailVerified && user.email === email) return 'same'
        const past = await sql<{ recent: number }>`
          select count(*) as recent from email_changes where user_id = ${userId} and at > now() - interval '1 hour'
        `.execute(tx)
        if ((past.rows[0]?.recent ?? 0) >= changesPerHour) return 'too_often'
        await updateAccount(tx, userId, { email, email_key: emailKey, email_verified: false, email_problem: null })
        await tx
          .insertInto('email_changes')
          .values({ id, user_id: userId, old_email: user.email, new_email: email })
          .execute()
        await closeResets(tx, userId)
        await withdrawExports(tx, userId)
        await openVerification(tx, { id: userId, email }, change.verification)
        if (user.emailVerified) await writeEvents(tx, [change.changed])
        return 'changed'
      })
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_unique')) return 'email_taken'
      throw error
    }
  },

  /** A change, whom it concerns and the address that was given up. */
  async find(id: string): Promise<{ account: Account; oldEmail: string; at: Date } | undefined> {
    const row = await selectUsers(db)
      .innerJoin('email_changes', 'email_changes.user_id', 'users.id')
      .select(['old_email', 'at'])
      .where('email_changes.id', '=', id)
      .executeTakeFirst()
    return row && { account: toAccount(row), oldEmail: row.old_email, at: row.at }
  },
})
