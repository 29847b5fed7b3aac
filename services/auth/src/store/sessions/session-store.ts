import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { type Account, hasPassword, hasRow, lockAccount, selectUsers, toAccount, updateAccount } from '../account.ts'
import { endSessions, isLive, passwordHashOf } from '../passwords/password-store.ts'
import { findByIdentity, type Identity } from '../single-sign-on/single-sign-on-store.ts'
import type { AuthTables } from '../tables.ts'
import { endPending } from '../verification/pending.ts'

const lifetimeDays = 30
/** Two tabs may send the same refresh token within this time and get the same successor. */
const graceSeconds = 10
/** How exactly "last used" is kept. */
const seenEvery = sql`interval '5 minutes'`

/**
 * The proof of a user's identity: the hash of their password, an identity, or the hash of the pending cookie of a browser that entered the mailed
 * code. Each may have changed or ended by the time the session begins.
 */
export type Proof =
  | { readonly passwordHash: string }
  | { readonly identity: Identity }
  | { readonly pendingHash: Buffer }
/** A session to be begun; the token itself is never stored. */
export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly refreshHash: Buffer
  readonly userAgent: string
  readonly network: string
  readonly proved: Proof
}
/** A session as it is stored. */
export type SessionRow = Selectable<AuthTables['sessions']>
/** The result of presenting a refresh token. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly account: Account; readonly sessionId: string; readonly secondsLeft: number }
  /** Its successor has been rotated too, within the grace: that one's successor is to be given. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'banned' }
  /** A token that was rotated before was used again: another party has a copy. The session has ended. */
  | { readonly kind: 'reused'; readonly userId: string }
  | { readonly kind: 'unknown' }

/** Sessions of users. A session lives 30 days from its start, whether it is used or not. Ages are measured by the database's clock. */
export const createSessionStore = (db: Kysely<AuthTables>) => ({
  /**
   * Starts a session with its first refresh token and marks the sign-in on the account. Resolves to the account, the hash
   * of its password, if any, and the seconds the session lives; to undefined, with nothing done, when what was proved does
   * not hold any more, or the user is gone.
   */
  async open({ id, userId, refreshHash, userAgent: user_agent, network, proved }: NewSession) {
    return await db.transaction().execute(async (tx) => {
      // First of all: a change of the password ends the sessions that are there, so none may come after that.
      if (!(await lockAccount(tx, userId)) || !(await stillProves(tx, { userId, proved }))) return undefined
      const account = await updateAccount(tx, userId, { last_login_at: sql`now()`, last_seen_at: sql`now()` })
      const expires_at = sql<Date>`now() + make_interval(days => ${lifetimeDays})`
      await tx.insertInto('sessions').values({ id, user_id: userId, expires_at, user_agent, network }).execute()
      await addToken(tx, refreshHash, id)
      const passwordHash = await passwordHashOf(tx, userId)
      return account && { account, passwordHash, secondsLeft: lifetimeDays * 86_400 }
    })
  },

  /**
   * Puts the successor in place of a refresh token. Callers with the same token wait for each other. Replicas derive different successors while the
   * secret of their derivation is replaced: within the grace, each of these is good.
   */
  async rotate(hash: Buffer, successorHash: Buffer): Promise<Rotation> {
    return await db.transaction().execute(async (tx) => {
      await lockSession(tx, hash)
      const row = await presentedToken(tx, hash)
      if (row === undefined) return { kind: 'unknown' }
      const { sessionId, secondsLeft } = row
      if (!row.fresh && !row.justRotated) {
        await tx.updateTable('sessions').set({ ended_at: sql`now()` }).where('id', '=', sessionId).execute()
        return { kind: 'reused', userId: row.id }
      }
      if (row.banned_at !== null) return { kind: 'banned' }
      if (row.fresh) {
        await tx.updateTable('refresh_tokens').set({ rotated_at: sql`now()` }).where('hash', '=', hash).execute()
        await tx.updateTable('sessions').set({ last_used_at: sql`now()` }).where('id', '=', sessionId).execute()
      }
      if (!(await addToken(tx, successorHash, sessionId)) && (await isRotated(tx, successorHash)))
        return { kind: 'overtaken' }
      return { kind: 'rotated', account: toAccount(row), sessionId, secondsLeft }
    })
  },

  /** The id of the session that a refresh token, even a rotated one, belongs to. */
  async idByToken(hash: Buffer): Promise<string | undefined> {
    const row = await db.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hash).executeTakeFirst()
    return row?.session_id
  },

  /** The user of a live session, and a note that they were seen; undefined when the session is over or another's. */
  async principal(userId: string, sessionId: string): Promise<Account | undefined> {
    const found = await selectUsers(db)
      .innerJoin('sessions', 'sessions.user_id', 'users.id')
      .select([
        sql<boolean>`last_used_at < now() - ${seenEvery}`.as('usedLongAgo'),
        sql<boolean>`coalesce(last_seen_at < now() - ${seenEvery}, true)`.as('seenLongAgo'),
      ])
      .where('sessions.id', '=', sessionId)
      .where('users.id', '=', userId)
      .where(isLive)
      .executeTakeFirst()
    if (found === undefined) return undefined
    // One row at a time, lest this waits for a transaction that holds the one and waits for the other.
    if (found.usedLongAgo) {
      await db.updateTable('sessions').set({ last_used_at: sql`now()` }).where('id', '=', sessionId).execute()
    }
    if (found.seenLongAgo) {
      await db.updateTable('users').set({ last_seen_at: sql`now()` }).where('id', '=', userId).execute()
    }
    return toAccount(found)
  },

  /** Live ones, last used first. */
  async list(userId: string): Promise<SessionRow[]> {
    return await db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where(isLive)
      .orderBy('last_used_at', 'desc')
      .limit(200)
      .execute()
  },

  /** False when the user has no such live session. */
  end: (userId: string, sessionId: string): Promise<boolean> =>
    hasRow(
      db
        .updateTable('sessions')
        .set({ ended_at: sql`now()` })
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .returning('id'),
    ),

  /** Ends every other session of a user, and what other browsers might still do with a code. Resolves to how many sessions. */
  async endOthers(userId: string, keptSessionId: string): Promise<number> {
    return await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
      return await endSessions(tx, userId, keptSessionId)
    })
  },

  /** Ends the session that a refresh token, even a rotated one, belongs to. Resolves to its user. */
  async endByToken(hash: Buffer): Promise<string | undefined> {
    const ended = await db
      .updateTable('sessions')
      .set({ ended_at: sql`now()` })
      .from('refresh_tokens')
      .whereRef('sessions.id', '=', 'refresh_tokens.session_id')
      .where('hash', '=', hash)
      .where('ended_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    return ended?.user_id
  },
})

/** Whether what was proved of a user still holds; the user is locked. A pending cookie is used up by it. */
export async function stillProves(
  tx: Transaction<AuthTables>,
  { userId, proved }: Pick<NewSession, 'userId' | 'proved'>,
): Promise<boolean> {
  if ('pendingHash' in proved) return await endPending(tx, userId, proved.pendingHash)
  if ('identity' in proved) return (await findByIdentity(tx, proved.identity))?.id === userId
  return (await passwordHashOf(tx, userId)) === proved.passwordHash
}

/** Adds a refresh token to a session; false when it is there already. */
const addToken = (tx: Transaction<AuthTables>, hash: Buffer, sessionId: string): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('refresh_tokens')
      .values({ hash, session_id: sessionId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash'),
  )

/** Locked before its tokens, as when an account is deleted. */
const lockSession = (tx: Transaction<AuthTables>, tokenHash: Buffer) =>
  tx
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', tx.selectFrom('refresh_tokens').select('session_id').where('hash', '=', tokenHash))
    .forUpdate()
    .execute()

/** A token of a live session, with its user; undefined when it is none. */
async function presentedToken(tx: Transaction<AuthTables>, hash: Buffer) {
  return await tx
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('u')
    .select(hasPassword('u'))
    .select((select) => [
      's.id as sessionId',
      sql<number>`extract(epoch from s.expires_at - now())::float8`.as('secondsLeft'),
      select('t.rotated_at', 'is', null).as('fresh'),
      sql<boolean>`coalesce(t.rotated_at > now() - make_interval(secs => ${graceSeconds}), false)`.as('justRotated'),
    ])
    .where('t.hash', '=', hash)
    .where(isLive)
    .executeTakeFirst()
}

const isRotated = (tx: Transaction<AuthTables>, hash: Buffer): Promise<boolean> =>
  hasRow(tx.selectFrom('refresh_tokens').select('hash').where('hash', '=', hash).where('rotated_at', 'is not', null))
