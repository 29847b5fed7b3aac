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

/** Begins the verification of the user's present address; an earlier one ends, and its code with it. */
export async function openVerification(
  tx: Transaction<AuthTables>,
  user: { readonly id: string; readonly email: string },
  { id, requested }: VerificationRequest,
): Promise<void> {
  await tx
    .updateTable('verifications')
    .set({ closed_at: sql`now()` })
    .where('user_id', '=', user.id)
    .where('closed_at', 'is', null)
    .execute()
  await tx.insertInto('verifications').values({ id, user_id: user.id, email: user.email }).execute()
  await writeEvents(tx, [requested])
}
