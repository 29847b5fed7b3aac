import type { EventOf } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { sql, type Transaction } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** A verification to be begun. */
export interface VerificationRequest {
  readonly id: string
  /** Makes notifier fetch a code and mail it. */
  readonly requested: EventOf<'auth.verification-requested'>
}

/** Ends the verification under way, and its code with it. */
export async function closeVerifications(tx: Transaction<AuthTables>, userId: string): Promise<void> {
  await tx
    .updateTable('verifications')
    .set({ closed_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute()
}

/** What a confirmed address changes about its user. */
export const addressConfirmed = {
  email_verified: true,
  first_verified_at: sql<Date>`coalesce(first_verified_at, now())`,
  email_problem: null,
}

/** Begins the verification of the user's present address; an earlier one ends, and its code with it. */
export async function openVerification(
  tx: Transaction<AuthTables>,
  user: { readonly id: string; readonly email: string },
  { id, requested }: VerificationRequest,
): Promise<void> {
  await closeVerifications(tx, user.id)
  await tx.insertInto('verifications').values({ id, user_id: user.id, email: user.email }).execute()
  await writeEvents(tx, [requested])
}
