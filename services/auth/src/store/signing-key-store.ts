import { type Kysely, sql } from 'kysely'
import type { AuthTables } from './tables.ts'

/** A key pair to be kept; the private half is sealed. */
export interface NewSigningKey {
  readonly kid: string
  readonly publicJwk: Record<string, unknown>
  readonly privateKey: Buffer
}
/** See `createSigningKeyStore`. */
export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>

/** The keys of access tokens. */
export const createSigningKeyStore = (db: Kysely<AuthTables>) => ({
  /** The one key that signs. When there is none, or `usable` says no, `make` gives the next and the old one only verifies; replicas that start together agree. */
  async current(
    make: () => NewSigningKey,
    usable: (key: { kid: string; privateKey: Buffer }) => boolean,
  ): Promise<{ kid: string; privateKey: Buffer }> {
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('auth.signing-keys', 0))`.execute(tx)
      const found = await tx
        .selectFrom('signing_keys')
        .select(['kid', 'private_key as privateKey'])
        .where('state', '=', 'current')
        .executeTakeFirst()
      if (found !== undefined && usable(found)) return found
      const made = make()
      await tx.updateTable('signing_keys').set({ state: 'retired' }).where('state', '=', 'current').execute()
      await tx
        .insertInto('signing_keys')
        .values({
          kid: made.kid,
          state: 'current',
          public_jwk: JSON.stringify(made.publicJwk),
          private_key: made.privateKey,
        })
        .execute()
      return made
    })
  },

  /** Every key that a token in use may be signed with, newest first. */
  async publicKeys(): Promise<Record<string, unknown>[]> {
    const rows = await db.selectFrom('signing_keys').select('public_jwk').orderBy('created_at', 'desc').execute()
    return rows.map((row) => row.public_jwk)
  },
})
