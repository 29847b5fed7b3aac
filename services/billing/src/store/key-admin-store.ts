import { adminActed } from '@parley/bus'
import type { KeyTier, keyAdminRoutes } from '@parley/contracts'
import { noteInInbox, writeEvents } from '@parley/db'
import {
  type AdminAct,
  type Call,
  ensureUnchanged,
  noLongerExists,
  type Page,
  type UndoingAct,
  undoneBefore,
} from '@parley/kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FoundKey, StoredKey } from '../keys/key.ts'
import { findKey, keyColumns } from './key-store.ts'
import { undoGroup } from './plan-store.ts'
import type { BillingDatabase } from './schema.ts'
import { countGenerations, lockCounting } from './usage-store.ts'

/** Filters of an admin's list of keys: by user, by tier, or by a text in their label, id, owner's id or the visible part of the secret. */
export interface KeyFilter {
  readonly query?: string | undefined
  /** Further users whose keys match the text. */
  readonly owners?: readonly string[] | undefined
  readonly userId?: string | undefined
  readonly tier?: KeyTier | undefined
}

/** A key's new tier. Limits are for tier 5 only, and unchanged if omitted; another version than the expected one is refused. */
interface TierChange extends Omit<Call<typeof keyAdminRoutes.updateKey>['body'], 'tier'> {
  readonly tier: KeyTier
}

/** The fields of a key that depend on its tier. */
export type TierState = Pick<StoredKey, 'tier' | 'customLimits'>

/** The result: `no_limits` for tier 5 without limits. A conflict has the current key. */
export type TierOutcome =
  | { readonly outcome: 'changed' | 'conflict'; readonly key: StoredKey }
  | { readonly outcome: 'unknown' | 'no_limits' }

/** All users' API keys, for admins. Each act is written together with its event, which contains no secret. */
export const createKeyAdminStore = (db: Kysely<BillingDatabase>) => ({
  /**
   * Ids of the users of further keys on the page if these users match the filter's text, the user of the newest key first: of those that match the
   * rest of the filter, but not the text.
   */
  async ownersOf({ after }: Pick<Page, 'after'>, filter: KeyFilter & { readonly query: string }): Promise<string[]> {
    const rows = await among(db, after, filter)
      .select('user_id')
      .where(sql<boolean>`not ${shows(filter.query)}`)
      .groupBy('user_id')
      .orderBy(sql`max(position)`, 'desc')
      .execute()
    return rows.map(({ user_id }) => user_id)
  },

  /** Labels of these keys, by id; unknown ones are missing. */
  async labelsOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
    if (ids.length === 0) return {}
    const rows = await db.selectFrom('api_keys').select(['id', 'label']).where('id', 'in', ids).execute()
    return Object.fromEntries(rows.map(({ id, label }) => [id, label]))
  },

  /** Newest first. */
  list({ limit, after }: Page, filter: KeyFilter): Promise<readonly StoredKey[]> {
    const { query, owners = [] } = filter
    const keys = among(db, after, filter).select(keyColumns).orderBy('position', 'desc').limit(limit)
    if (query === undefined) return keys.execute()
    return keys.where(sql<boolean>`(${shows(query)} or user_id = any(${[...owners]}))`).execute()
  },

  /** Looks up a key by the hash of its secret in hex; the look-up itself is published, too. */
  verify: (hash: string, act: AdminAct): Promise<FoundKey | undefined> =>
    db.transaction().execute(async (tx) => {
      const found = await findKey(tx, hash)
      await writeAdminActed(tx, act, 'key.verified', found?.key, null, { found: found !== undefined })
      return found
    }),

  setTier: (id: string, { tier, customLimits, version }: TierChange, act: AdminAct): Promise<TierOutcome> =>
    db.transaction().execute(async (tx) => {
      const before = await lock(tx, id)
      if (before === undefined) return { outcome: 'unknown' }
      if (version !== undefined && version !== before.version) return { outcome: 'conflict', key: before }
      const limits = tier === 5 ? (customLimits ?? before.customLimits) : null
      if (tier === 5 && limits === null) return { outcome: 'no_limits' }
      return { outcome: 'changed', key: await setTier(tx, before, { tier, customLimits: limits }, act) }
    }),

  /** Undoes a change of tier, once. @throws AppError conflict when the tier has changed since */
  undoTier: (
    id: string,
    { before: back, after: left }: { before: TierState; after: TierState },
    act: UndoingAct,
  ): Promise<StoredKey> =>
    db.transaction().execute(async (tx) => {
      const before = await lock(tx, id)
      if (before === undefined) throw noLongerExists()
      const present = { ...tierOf(before), version: before.version }
      if (act.undone) throw undoneBefore(present)
      ensureUnchanged({ ...left }, present)
      if (!(await noteInInbox(tx, undoGroup, act.undoes))) throw undoneBefore(present)
      return await setTier(tx, before, back, act)
    }),

  /** Removes a key with its secrets; undefined for an unknown key. */
  revoke: (id: string, act: AdminAct): Promise<StoredKey | undefined> =>
    db.transaction().execute(async (tx) => {
      const key = await tx.deleteFrom('api_keys').where('id', '=', id).returning(keyColumns).executeTakeFirst()
      if (key !== undefined) {
        const { prefix, lastFour } = key
        await writeAdminActed(tx, act, 'key.revoked', key, { ...tierOf(key), prefix, lastFour }, null)
      }
      return key
    }),

  /** Resets the usage of a key; undefined for an unknown key. The owner's charges stay in receipts and usage. */
  resetUsage: (id: string, act: AdminAct): Promise<StoredKey | undefined> =>
    db.transaction().execute(async (tx) => {
      const key = await lock(tx, id)
      if (key === undefined) return undefined
      await countEnded(tx)
      await sql`delete from usage_keys where key_id = ${id}`.execute(tx)
      await writeAdminActed(tx, act, 'key.usage-reset', key, null, null)
      return key
    }),

  /** Resets the usage of all keys. Resolves to the number of keys that had any. */
  resetAllUsage: (act: AdminAct): Promise<number> =>
    db.transaction().execute(async (tx) => {
      await countEnded(tx)
      const { rows } = await sql<{ reset: number }>`
        with gone as (delete from usage_keys returning key_id) select count(distinct key_id) as reset from gone`.execute(
        tx,
      )
      const reset = rows[0]?.reset ?? 0
      await writeAdminActed(tx, act, 'key.all-usage-reset', undefined, null, { reset })
      return reset
    }),
})

/** The keys after a place that match a filter without its text. */
function among(db: Kysely<BillingDatabase>, after: Page['after'], { userId, tier }: KeyFilter) {
  let keys = db.selectFrom('api_keys')
  if (after !== undefined) keys = keys.where('position', '<', after.seq)
  if (userId !== undefined) keys = keys.where('user_id', '=', userId)
  return tier === undefined ? keys : keys.where('tier', '=', tier)
}

/** Whether a key shows a text itself. */
const shows = (query: string) =>
  sql<boolean>`strpos(lower(concat_ws(' ', label, id, user_id, prefix, last_four)), lower(${query})) > 0`

const mostAtOnce = 1_000

/** Counts everything that ended before the act, so that it is not added after the reset. */
async function countEnded(tx: Transaction<BillingDatabase>): Promise<void> {
  await lockCounting(tx)
  while ((await countGenerations(tx, mostAtOnce)) === mostAtOnce);
}

/** Locks the key until the transaction ends, though not against references: a reset that has the lock waits for a count, which refers to the key. */
const lock = (tx: Transaction<BillingDatabase>, id: string): Promise<StoredKey | undefined> =>
  tx.selectFrom('api_keys').select(keyColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const tierOf = ({ tier, customLimits }: StoredKey): TierState => ({ tier, customLimits })

async function setTier(
  tx: Transaction<BillingDatabase>,
  before: StoredKey,
  { tier, customLimits }: TierState,
  act: AdminAct,
): Promise<StoredKey> {
  const key = await tx
    .updateTable('api_keys')
    .set({ tier, custom_limits: customLimits && JSON.stringify(customLimits), version: before.version + 1 })
    .where('id', '=', before.id)
    .returning(keyColumns)
    .executeTakeFirstOrThrow()
  const change = { target: key.id, targetName: key.label, before: tierOf(before), after: tierOf(key), reversible: true }
  await writeEvents(tx, [adminActed('billing.admin-acted', act, { action: 'key.tier-changed', ...change })])
  return key
}

const writeAdminActed = (
  tx: Transaction<BillingDatabase>,
  act: AdminAct,
  action: string,
  key: StoredKey | undefined,
  before: unknown,
  after: unknown,
): Promise<void> => {
  const change = { action, target: key?.id ?? null, targetName: key?.label, before, after }
  return writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
}
