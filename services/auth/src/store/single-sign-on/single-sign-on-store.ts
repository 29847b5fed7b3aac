import type { EventOf } from '@parley/contracts'
import { isUniqueViolation, writeEvents } from '@parley/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Account, firstAccount, hasRow, selectUsers } from '../account.ts'
import { insertAccount, type NewAccount } from '../account-store.ts'
import { holdSettings } from '../administration/settings-store.ts'
import { lockUser, passwordHashOf } from '../passwords/password-store.ts'
import type { AuthTables } from '../tables.ts'
import { allowPending } from '../verification/pending.ts'
import {
  addressConfirmed,
  closeVerifications,
  openVerification,
  type VerificationRequest,
} from '../verification/verification-request.ts'

/** Seconds for returning from the provider, and then for proving ownership of an account. */
export const signOnSeconds = 600

/** A provider's identity of a user; an e-mail address is no identity. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}
/** A user who signs on for the first time. */
export interface Newcomer {
  readonly identity: Identity
  readonly account: Omit<NewAccount, 'passwordHash'>
  /** The provider has confirmed the address. */
  readonly emailVerified: boolean
  readonly verification: VerificationRequest
  /** The browser, which may then enter the code. */
  readonly pendingHash: Buffer
}
/** The result of a first sign-on. */
export type Entered =
  /** Another tab was faster. */
  | { readonly kind: 'known'; readonly account: Account }
  | { readonly kind: 'made'; readonly account: Account; readonly verificationRequired: boolean }
  | { readonly kind: 'email_taken'; readonly userId: string }
  /** Another account took the username or the address meanwhile: to be tried again with another name. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'registration_disabled' }
/** A link to be made. */
export interface NewLink {
  readonly browserHash: Buffer
  readonly userId: string
  readonly identity: Identity
  /** Hash of the password that proved the owner. */
  readonly proved: string
  /** Key of the address that the provider has confirmed. */
  readonly verifiedEmailKey: string | undefined
  /** Notifies the owner. */
  readonly linked: EventOf<'auth.identity-linked'>
}
/** The result of linking: `expired` when it was no longer pending, or belongs to another user; `unproved` when the password has changed meanwhile. */
export type Linked = Account | 'expired' | 'unproved'

/** Sign-ons under way, and the identities of users at the provider. Ages are measured by the database's clock. */
export const createSingleSignOnStore = (db: Kysely<AuthTables>) => ({
  /** Keeps a sign-on for 10 minutes, for one browser. */
  async begin(stateHash: Buffer, browserHash: Buffer, sealed: Buffer): Promise<void> {
    const expires_at = inTime()
    const request = { state_hash: stateHash, browser_hash: browserHash, sealed, expires_at }
    await db.insertInto('oauth_requests').values(request).execute()
  },

  /** The stored state, once and for this browser only; of concurrent calls one gets it. */
  async take(stateHash: Buffer, browserHash: Buffer): Promise<Buffer | undefined> {
    const taken = await db
      .deleteFrom('oauth_requests')
      .where('state_hash', '=', stateHash)
      .where('browser_hash', '=', browserHash)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('sealed')
      .executeTakeFirst()
    return taken?.sealed
  },

  /** The account of an identity. */
  find: (identity: Identity): Promise<Account | undefined> => findByIdentity(db, identity),

  /**
   * Creates the account of an identity that has none, without a password: all or nothing. Of any number of parallel calls for one
   * identity one makes it and the others find it; none does once registration by single sign-on was switched off.
   */
  async enter(newcomer: Newcomer): Promise<Entered> {
    try {
      return await db.transaction().execute((tx) => enter(tx, newcomer))
    } catch (error) {
      if (takenMeanwhile.some((constraint) => isUniqueViolation(error, constraint))) return { kind: 'overtaken' }
      throw error
    }
  },

  /** Keeps an identity for 10 minutes until its browser proves that the account is theirs; one per browser. */
  async keepLink(browserHash: Buffer, userId: string, sealed: Buffer): Promise<void> {
    // Does nothing when the user has just been deleted.
    await sql`
      insert into oauth_links (browser_hash, user_id, sealed, expires_at)
      select ${browserHash}, id, ${sealed}, ${inTime()} from users where id = ${userId} for key share
      on conflict (browser_hash) do update
        set user_id = excluded.user_id, sealed = excluded.sealed, expires_at = excluded.expires_at
    `.execute(db)
  },

  /** The state stored for a browser. */
  async pendingLink(browserHash: Buffer): Promise<{ userId: string; sealed: Buffer } | undefined> {
    const row = await db
      .selectFrom('oauth_links')
      .select(['user_id', 'sealed'])
      .where('browser_hash', '=', browserHash)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst()
    return row && { userId: row.user_id, sealed: row.sealed }
  },

  /**
   * Links an identity to the account whose owner was proved, once, and notifies the owner; an unconfirmed address that the provider
   * has confirmed becomes confirmed.
   */
  async link({ browserHash, userId, identity, proved, verifiedEmailKey, linked }: NewLink): Promise<Linked> {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) return 'expired'
      if ((await passwordHashOf(tx, userId)) !== proved) return 'unproved'
      const isPending = await hasRow(
        tx
          .deleteFrom('oauth_links')
          .where('browser_hash', '=', browserHash)
          .where('user_id', '=', userId)
          .where('expires_at', '>', sql<Date>`now()`)
          .returning('user_id'),
      )
      if (!isPending) return 'expired'
      const isNew = await hasRow(
        insertIdentity(tx, identity, userId)
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id'),
      )
      if ((await findByIdentity(tx, identity))?.id !== userId) return 'expired'
      if (isNew) await writeEvents(tx, [linked])
      if (verifiedEmailKey !== undefined) await confirmAddress(tx, userId, verifiedEmailKey)
      return (await findByIdentity(tx, identity)) ?? 'expired'
    })
  },
})

const takenMeanwhile = ['users_username_unique', 'users_email_unique', 'identities_pkey']

const inTime = () => sql<Date>`now() + make_interval(secs => ${signOnSeconds})`

async function enter(tx: Transaction<AuthTables>, newcomer: Newcomer): Promise<Entered> {
  const { identity, account: chosen, emailVerified } = newcomer
  const owner = await tx.selectFrom('users').select('id').where('email_key', '=', chosen.emailKey).executeTakeFirst()
  // After looking up the address's owner: that may be the account that another tab has just created for this identity.
  const known = await findByIdentity(tx, identity)
  if (known !== undefined) return { kind: 'known', account: known }
  if (owner !== undefined) return { kind: 'email_taken', userId: owner.id }
  const settings = await holdSettings(tx)
  if (!settings.registration.oauth) return { kind: 'registration_disabled' }
  const verified = emailVerified ? { email_verified: true, first_verified_at: new Date() } : {}
  const account = await insertAccount(tx, chosen, { auth_type: 'oauth', ...verified })
  await insertIdentity(tx, identity, account.id).execute()
  const verificationRequired = !emailVerified && settings.emailVerificationRequired
  if (verificationRequired) {
    await openVerification(tx, account, newcomer.verification)
    await allowPending(tx, account.id, newcomer.pendingHash)
  }
  return { kind: 'made', account, verificationRequired }
}

/** The account of an identity. */
export const findByIdentity = (db: Kysely<AuthTables>, { issuer, subject }: Identity): Promise<Account | undefined> =>
  firstAccount(
    selectUsers(db)
      .innerJoin('identities', 'identities.user_id', 'users.id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
  )

const insertIdentity = (tx: Transaction<AuthTables>, { issuer, subject }: Identity, userId: string) =>
  tx.insertInto('identities').values({ issuer, subject, user_id: userId })

/** Only while the account has it. Browsers that were waiting to enter a code for it no longer may. */
async function confirmAddress(tx: Transaction<AuthTables>, userId: string, emailKey: string): Promise<void> {
  const isConfirmed = await hasRow(
    tx
      .updateTable('users')
      .set(addressConfirmed)
      .where('id', '=', userId)
      .where('email_key', '=', emailKey)
      .where('email_verified', '=', false)
      .returning('id'),
  )
  if (!isConfirmed) return
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  await closeVerifications(tx, userId)
}
