import { onceInInbox } from '@parley/db'
import { type Kysely, sql } from 'kysely'
import type { CreditStore, HoldResult, Settlement } from './credit-store.ts'
import { unlessErased } from './pg-erasure-store.ts'
import type { BillingDatabase } from './schema.ts'

type SettleRow = Settlement & { readonly outcome: 'settled' | 'unknown' | 'conflict' }
const inboxGroup = 'billing.settlements'

/** Credits in PostgreSQL: each act is one call of a function of the migrations. @param holdSeconds lifetime of a hold that nobody renews */
export function createPgCreditStore(db: Kysely<BillingDatabase>, holdSeconds: number): CreditStore {
  const lifetime = sql`make_interval(secs => ${holdSeconds})`
  return {
    async hold({ generationId, userId, amount, unlimited }) {
      const holding = async () => {
        const { rows } = await sql<HoldResult>`
          select * from hold_credits(${generationId}, ${userId}, ${amount}, ${unlimited}, ${lifetime})`.execute(db)
        return onlyRow(rows)
      }
      return await unlessErased(holding, () => ({ outcome: 'conflict', remaining: 0 }))
    },
    async renewHold(generationId) {
      const { rows } = await sql`
        update holds
        set expires_at = case when state = 'held' then clock_timestamp() + ${lifetime} else expires_at end
        where generation_id = ${generationId}
        returning generation_id`.execute(db)
      return rows.length > 0
    },
    async settle(generationId, amount, warnAt) {
      const { rows } = await sql<SettleRow>`
        select outcome, charged, remaining, ${warning(generationId, warnAt)}
        from settle_hold(${generationId}, ${amount})`.execute(db)
      const { outcome, charged, remaining } = onlyRow(rows)
      return outcome === 'unknown' ? undefined : { charged, remaining }
    },
    async settleFinished(eventId, { generationId, userId, charge }, warnAt) {
      const settling = () =>
        onceInInbox(db, inboxGroup, eventId, async (tx) => {
          const { rows } = await sql<SettleRow>`
          select outcome, charged, remaining, ${warning(generationId, warnAt)}
          from settle_hold(${generationId}, ${charge}, ${userId})`.execute(tx)
          if (onlyRow(rows).outcome === 'conflict') throw new Error('the generation was held for another user')
        })
      await unlessErased(settling, () => false)
    },
    async releaseExpired(limit) {
      const { rows } = await sql<{ released: number }>`
        select release_expired_holds(${limit}) as released`.execute(db)
      return onlyRow(rows).released
    },
    async forgetOver(days, limit) {
      const forgotten = await deleteOverHolds(db, days, limit).executeTakeFirst()
      return Number(forgotten.numDeletedRows)
    },
  }
}

/** Of holds that are over, the oldest. Exported for the test of its plan. */
export function deleteOverHolds(db: Kysely<BillingDatabase>, days: number, limit: number) {
  const over = sql<Date>`coalesce(settled_at, expires_at)`
  const oldest = db
    .selectFrom('holds')
    .select('generation_id')
    .where('state', '<>', 'held')
    .where(over, '<', sql<Date>`now() - make_interval(days => ${days})`)
    .orderBy(over)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return db.deleteFrom('holds').where('generation_id', 'in', oldest)
}

/** Beside a settlement, which has happened by then. */
const warning = (generationId: string, warnAt: number | undefined) =>
  sql`warn_of_usage(${generationId}, charged, ${warnAt ?? null})`

function onlyRow<Row>(rows: readonly Row[]): Row {
  const row = rows[0]
  if (row === undefined) throw new Error('a function of the ledger answered no row')
  return row
}
