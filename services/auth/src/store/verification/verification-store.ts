import { timingSafeEqual } from 'node:crypto'
import type { mailOutcomes } from '@parley/contracts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Account, findAccount, firstAccount, lockAccount, selectUsers, updateAccount } from '../account.ts'
import { lockUser } from '../passwords/password-store.ts'
import { type Proof, stillProves } from '../sessions/session-store.ts'
import type { AuthTables } from '../tables.ts'
import { allowPending } from './pending.ts'
import { addressConfirmed, openVerification, type VerificationRequest } from './verification-request.ts'

const codeMinutes = 10
const attemptsPerCode = 5
/** Codes of one account that are judged within an hour. */
export const attemptsPerHour = 20
const requestsPerDay = 20

/** Whether a mail with a code was delivered. */
type MailOutcome = (typeof mailOutcomes)[number]
/** The result of entering a code. */
export type CodeOutcome = { readonly account: Account } | 'wrong' | 'too_many_attempts'

/** Proofs that an e-mail address is the user's. Every age is measured by the database's clock. */
export const createVerificationStore = (db: Kysely<AuthTables>) => ({
  /**
   * Lets a browser enter codes for a user who proved their identity in it. False, and nothing done, when that does not hold any more: another
   * password ends the browsers that are there, so none may come after that.
   */
  async allowPending(userId: string, hash: Buffer, proved?: Proof): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) return false
      if (proved !== undefined && !(await stillProves(tx, { userId, proved }))) return false
      return await allowPending(tx, userId, hash)
    })
  },

  /** The user for whom a browser may enter codes; undefined once it has expired or a code was accepted. */
  pendingUser: (hash: Buffer): Promise<Account | undefined> =>
    firstAccount(
      selectUsers(db)
        .innerJoin('pending_sign_ins', 'pending_sign_ins.user_id', 'users.id')
        .where('hash', '=', hash)
        .where('expires_at', '>', sql<Date>`now()`),
    ),

  /** Begins a verification unless the last one is younger than `minAgeSeconds`, the day's are used up, or the address is verified. Resolves to whether it did. */
  async request(userId: string, minAgeSeconds: number, request: VerificationRequest): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      const user = await lockAccount(tx, userId)
      if (user === undefined || user.emailVerified) return false
      const past = await sql<{ today: number; recent: number }>`
        select count(*) as today, count(*) filter (where created_at > now() - make_interval(secs => ${minAgeSeconds})) as recent
        from verifications where user_id = ${userId} and created_at > now() - interval '1 day'
      `.execute(tx)
      const { today, recent } = past.rows[0] ?? { today: 0, recent: 0 }
      if (recent > 0 || today >= requestsPerDay) return false
      await openVerification(tx, user, request)
      return true
    })
  },

  /** Puts a code's hash in place of the one before; undefined when the verification is over. The code lives 10 minutes and 5 attempts. */
  async issueCode(id: string, codeHash: Buffer): Promise<{ account: Account; expiresAt: Date } | undefined> {
    return await db.transaction().execute(async (tx) => {
      const issued = await tx
        .updateTable('verifications')
        .set({
          code_hash: codeHash,
          code_expires_at: sql<Date>`now() + make_interval(mins => ${codeMinutes})`,
          wrong_tries: 0,
        })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .returning(['user_id', 'code_expires_at'])
        .executeTakeFirst()
      if (issued === undefined || issued.code_expires_at === null) return undefined
      const account = await findAccount(tx, issued.user_id)
      return account && { account, expiresAt: issued.code_expires_at }
    })
  },

  /** Keeps what became of the mail with a code, and why none arrives while the user's unconfirmed address is the one that it went to. */
  async keepMailOutcome(id: string, outcome: 'sent' | 'failed', problem: string | null): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const of = await tx.selectFrom('verifications').select('user_id').where('id', '=', id).executeTakeFirst()
      // First the user, like a code that is entered at this moment: otherwise each could hold what the other waits for.
      if (of === undefined || (await lockAccount(tx, of.user_id)) === undefined) return
      await sql`
        with settled as (
          update verifications set mail_outcome = ${outcome} where id = ${id} returning user_id, email, created_at
        )
        update users set email_problem = ${problem} from settled
        where users.id = settled.user_id and users.email = settled.email and not email_verified
          and not exists (
            select from verifications later where later.user_id = settled.user_id and later.created_at > settled.created_at
          )
      `.execute(tx)
    })
  },

  /** Whether the last mail with a code was delivered, for a browser that may enter the code; undefined for any other. */
  async mailOutcome(pendingHash: Buffer): Promise<MailOutcome | undefined> {
    const last = await db
      .selectFrom('verifications')
      .innerJoin('pending_sign_ins', 'pending_sign_ins.user_id', 'verifications.user_id')
      .select('mail_outcome')
      .where('hash', '=', pendingHash)
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last?.mail_outcome
  },

  /**
   * Judges a code for a user. The right one, once, marks the address verified and ends the pending browsers, but the one that entered it.
   * Attempts of one user wait for each other; at most 5 are judged per code and 20 per hour.
   * @param pendingHash of that browser, whose session it begins; undefined for a signed-in one
   */
  async enterCode(
    userId: string,
    hashesOf: (verificationId: string) => readonly Buffer[],
    pendingHash: Buffer | undefined,
  ): Promise<CodeOutcome> {
    return await db.transaction().execute(async (tx) => {
      if ((await lockAccount(tx, userId)) === undefined) return 'wrong'
      if (!(await takeAttempt(tx, userId))) return 'too_many_attempts'
      const open = await openCode(tx, userId)
      if (open?.code_hash == null) return 'wrong'
      const { id, code_hash: kept } = open
      if (!hashesOf(id).some((hash) => timingSafeEqual(hash, kept))) {
        const wrong_tries = open.wrong_tries + 1
        await tx.updateTable('verifications').set({ wrong_tries }).where('id', '=', id).execute()
        return 'wrong'
      }
      await endOtherPending(tx, userId, pendingHash)
      await tx.updateTable('verifications').set({ closed_at: sql`now()` }).where('id', '=', id).execute()
      const account = await updateAccount(tx, userId, addressConfirmed)
      return account ? { account } : 'wrong'
    })
  },
})

async function takeAttempt(tx: Transaction<AuthTables>, userId: string): Promise<boolean> {
  const taken = await sql`
    insert into code_tries (user_id)
    select ${userId} where (
      select count(*) from code_tries where user_id = ${userId} and at > now() - interval '1 hour'
    ) < ${attemptsPerHour}
    returning 1
  `.execute(tx)
  return taken.rows.length > 0
}

const openCode = (tx: Transaction<AuthTables>, userId: string) =>
  tx
    .selectFrom('verifications')
    .select(['id', 'code_hash', 'wrong_tries'])
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('wrong_tries', '<', attemptsPerCode)
    .forUpdate()
    .executeTakeFirst()

async function endOtherPending(tx: Transaction<AuthTables>, userId: string, keptHash: Buffer | undefined) {
  let ending = tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId)
  if (keptHash !== undefined) ending = ending.where('hash', '!=', keptHash)
  await ending.execute()
}
