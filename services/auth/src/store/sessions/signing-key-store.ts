import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** How long before its first signature a new key is published: every verifier has fetched the keys by then. */
const publishedSeconds = 60
/** A key verifies so long after a later one began to sign: the life of a token, the leeway of verifiers, and time for replicas to notice. */
const verifiesMinutes = 20

/** A key pair to be kept; the private half is sealed. */
export interface NewSigningKey {
  readonly kid: string
  readonly publicJwk: Record<string, unknown>
  readonly privateKey: Buffer
}
/** The key that signs, sealed. */
export type SealedKey = Pick<NewSigningKey, 'kid' | 'privateKey'>
/** A key that was published to sign later, or one that waited already. */
export interface NextKey {
  readonly kid: string
  readonly signsFrom: Date
  readonly isNew: boolean
}
export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>

/** The keys of access tokens. The database's clock decides which of them signs and which only verify. */
export const createSigningKeyStore = (db: Kysely<AuthTables>) => ({
  /** The one key that signs now. When there is none, or `usable` says no, `make` gives one that signs at once; replicas that start together agree. */
  async ensure(make: () => NewSigningKey, usable: (key: SealedKey) => boolean): Promise<SealedKey> {
    return await exclusively(db, async (tx) => {
      const found = await signingKey(tx)
      if (found !== undefined && usable(found)) return found
      const made = make()
      await insertKey(tx, made, 0)
      return made
    })
  },

  /** Publishes a key that signs in a minute; a key that waits already is left to its turn. */
  async rotate(make: () => NewSigningKey): Promise<NextKey> {
    return await exclusively(db, async (tx) => {
      const waiting = await tx
        .selectFrom('signing_keys')
        .select(['kid', 'signs_from as signsFrom'])
        .where('signs_from', '>', sql<Date>`clock_timestamp()`)
        .executeTakeFirst()
      if (waiting !== undefined) return { ...waiting, isNew: false }
      const made = make()
      return { kid: made.kid, signsFrom: await insertKey(tx, made, publishedSeconds), isNew: true }
    })
  },

  /** Replaces the sealed half of each key by what `seal` makes of it, unless that is undefined. */
  async reseal(seal: (key: SealedKey) => Buffer | undefined): Promise<void> {
    await exclusively(db, async (tx) => {
      const keys = await tx.selectFrom('signing_keys').select(['kid', 'private_key as privateKey']).execute()
      for (const key of keys) {
        const private_key = seal(key)
        if (private_key !== undefined)
          await tx.updateTable('signing_keys').set({ private_key }).where('kid', '=', key.kid).execute()
      }
    })
  },

  /** Every key that a token in use is or soon will be signed with, newest first. */
  async publicKeys(): Promise<Record<string, unknown>[]> {
    const rows = await db
      .selectFrom('signing_keys as k')
      .select('public_jwk')
      .where(sql<boolean>`not ${isOver()}`)
      .orderBy('signs_from', 'desc')
      .execute()
    return rows.map((row) => row.public_jwk)
  },
})

/** Deletes the keys that no token in use is signed with. */
export async function sweepSigningKeys(db: Kysely<AuthTables>): Promise<void> {
  await sql`delete from signing_keys as k where ${isOver()}`.execute(db)
}

/** True of a key `k` once a later one has been signing for so long that every token of this one has expired. */
const isOver = () => sql<boolean>`exists (
  select 1 from signing_keys later
  where later.signs_from > k.signs_from and later.signs_from <= now() - make_interval(mins => ${verifiesMinutes})
)`

// By the current time, not the transaction's start: another may have made a key since then, which this one waited for.
const signingKey = (tx: Transaction<AuthTables>): Promise<SealedKey | undefined> =>
  tx
    .selectFrom('signing_keys')
    .select(['kid', 'private_key as privateKey'])
    .where('signs_from', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('signs_from', 'desc')
    .limit(1)
    .executeTakeFirst()

const exclusively = <T>(db: Kysely<AuthTables>, work: (tx: Transaction<AuthTables>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('auth.signing-keys', 0))`.execute(tx)
    return await work(tx)
  })

/** @param seconds until it signs */
async function insertKey(tx: Transaction<AuthTables>, key: NewSigningKey, seconds: number): Promise<Date> {
  const { signs_from } = await tx
    .insertInto('signing_keys')
    .values({
      kid: key.kid,
      public_jwk: JSON.stringify(key.publicJwk),
      private_key: key.privateKey,
      signs_from: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .returning('signs_from')
    .executeTakeFirstOrThrow()
  return signs_from
}
