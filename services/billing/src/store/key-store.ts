import { maxKeysPerUser } from '@parley/contracts'
import { notFound } from '@parley/kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FoundKey, SecretMark, StoredKey } from '../keys/key.ts'
import type { BillingDatabase } from './schema.ts'

/** A user's input for a new key. */
export interface NewKey {
  readonly id: string
  readonly userId: string
  readonly label: string
  readonly expiresAt: Date | null
  readonly secret: SecretMark
}

/** The fields of a key that its user may change. */
export type KeyChange = Partial<Pick<StoredKey, 'label' | 'expiresAt'>>

type Db = Kysely<BillingDatabase>

/** Maximum number of former secrets of a key that are valid at once. */
const mostFormerSecrets = 20

/** Users' API keys. Only hashes of secrets are stored. Other users' keys are treated as unknown. Time is the database's. */
export function createKeyStore(db: Db) {
  return {
    /** Resolves to `full` at the limit of keys per user, which is exact even for concurrent calls. @throws AppError not_found for an erased user */
    create: ({ id, userId, label, expiresAt, secret }: NewKey): Promise<StoredKey | 'full'> =>
      db.transaction().execute(async (tx) => {
        await lockKeysOf(tx, userId)
        const { count } = await tx
          .selectFrom('api_keys')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (count >= maxKeysPerUser) return 'full'
        const { prefix, lastFour: last_four } = secret
        const [key] = await tx
          .insertInto('api_keys')
          .values({ id, user_id: userId, label, prefix, last_four, expires_at: expiresAt })
          .returning(keyColumns)
          .execute()
        await addSecret(tx, id, secret)
        return key as StoredKey
      }),
    /** A user's keys, newest first. */
    listOf: (userId: string): Promise<readonly StoredKey[]> =>
      db.selectFrom('api_keys').select(keyColumns).where('user_id', '=', userId).orderBy('position', 'desc').execute(),
    /** Undefined when the user has no such key. */
    change: (userId: string, id: string, change: KeyChange): Promise<StoredKey | undefined> =>
      db
        .updateTable('api_keys')
        // SQL requires at least one assignment, even without a change.
        .set({ user_id: userId, ...columnsOf(change) })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning(keyColumns)
        .executeTakeFirst(),
    /**
     * Replaces a key's secret; former ones expire after the overlap, or earlier by a previous rotation. `too_many` while too many former secrets
     * are still valid. Undefined when the user has no such key.
     */
    rotate: (
      userId: string,
      id: string,
      secret: SecretMark,
      overlapMinutes: number,
    ): Promise<StoredKey | 'too_many' | undefined> =>
      db
        .transaction()
        .execute(async (tx) => {
          const key = await tx
            .updateTable('api_keys')
            .set({ prefix: secret.prefix, last_four: secret.lastFour })
            .where('id', '=', id)
            .where('user_id', '=', userId)
            .returning(keyColumns)
            .executeTakeFirst()
          if (key === undefined) return undefined
          const end = sql<Date>`clock_timestamp() + make_interval(mins => ${overlapMinutes})`
          await tx
            .updateTable('api_key_secrets')
            .set({ ends_at: sql<Date>`least(ends_at, ${end})` })
            .where('key_id', '=', id)
            .execute()
          await tx
            .deleteFrom('api_key_secrets')
            .where('key_id', '=', id)
            .where('ends_at', '<=', sql<Date>`clock_timestamp()`)
            .execute()
          await addSecret(tx, id, secret)
          const { count } = await tx
            .selectFrom('api_key_secrets')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('key_id', '=', id)
            .executeTakeFirstOrThrow()
          if (count > mostFormerSecrets + 1) throw tooMany
          return key
        })
        .catch((error: unknown) => {
          if (error === tooMany) return 'too_many' as const
          throw error
        }),
    /** Removes a key with its secrets; false when the user has no such key. */
    async revoke(userId: string, id: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('api_keys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('id')
        .execute()
      return gone.length > 0
    },
    /** Looks up a key by the hash of its secret in hex, including expired ones. */
    find: (hash: string): Promise<FoundKey | undefined> => findKey(db, hash),
    /** Records that keys are in use, at most once a minute per key. */
    async noteUsed(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({ last_used: sql<Date>`clock_timestamp()` })
        .where('id', 'in', [...ids])
        .where(({ eb, or }) =>
          or([eb('last_used', 'is', null), eb('last_used', '<', sql<Date>`clock_timestamp() - interval '1 minute'`)]),
        )
        .execute()
    },
  }
}

/** Rolls a rotation back. */
const tooMany = new Error('too many former secrets')

/** Columns of `api_keys` as selected. */
export const keyColumns = [
  'api_keys.id',
  'api_keys.position as seq',
  'api_keys.user_id as userId',
  'api_keys.label',
  'api_keys.prefix',
  'api_keys.last_four as lastFour',
  'api_keys.tier',
  'api_keys.custom_limits as customLimits',
  'api_keys.version',
  'api_keys.created_at as createdAt',
  'api_keys.last_used as lastUsed',
  'api_keys.expires_at as expiresAt',
] as const

/** Looks up a key by the hash of its secret in hex. */
export async function findKey(db: Db, hash: string): Promise<FoundKey | undefined> {
  const row = await db
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .select(keyColumns)
    .select('api_key_secrets.ends_at as endsAt')
    .where('hash', '=', Buffer.from(hash, 'hex'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { endsAt, ...key } = row
  return { key, endsAt }
}

/** Serialises the creation of a user's keys. @throws AppError not_found for an erased user */
async function lockKeysOf(tx: Transaction<BillingDatabase>, userId: string): Promise<void> {
  await sql`select lock_keys_of(${userId})`.execute(tx).catch((error: unknown) => {
    throw (error as { code?: unknown }).code === 'PE001' ? notFound('This account no longer exists.') : error
  })
}

const addSecret = (tx: Transaction<BillingDatabase>, id: string, { hash }: SecretMark) =>
  tx
    .insertInto('api_key_secrets')
    .values({ key_id: id, hash: Buffer.from(hash, 'hex') })
    .execute()

const columnsOf = ({ label, expiresAt }: KeyChange) => ({
  ...(label !== undefined && { label }),
  ...(expiresAt !== undefined && { expires_at: expiresAt }),
})
