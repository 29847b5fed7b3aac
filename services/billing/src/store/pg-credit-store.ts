import { newId } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import { decideExpiry, decideHold, decideSettlement, type Ending, type Settlement } from '../credits/hold.ts'
import type { CreditStore, OpenHolds } from './credit-store.ts'
import type { Act, RunAct } from './pg-acts.ts'
import type { BillingDatabase } from './schema.ts'

/** Credits in PostgreSQL. @param holdSeconds lifetime of a hold without renewal */
export function createPgCreditStore(db: Kysely<BillingDatabase>, run: RunAct, holdSeconds: number): CreditStore {
  const settlement = (
    { generationId, charge, end }: Omit<Ending, 'warning'>,
    warnAt?: number,
  ): Act<Settlement | undefined> => ({
    generationId,
    otherwise: undefined,
    decide(found) {
      const warning = warnAt === undefined ? undefined : { percent: warnAt, eventId: newId() }
      const { outcome, ...decision } = decideSettlement(found, { generationId, charge, warning, end })
      if (outcome === 'foreign') throw new Error('the generation was held for another user')
      return { ...decision, outcome }
    },
  })
  return {
    hold: (request, leavesLocked = false) =>
      run({
        ...{ userId: request.userId, generationId: request.generationId, makesAccount: true },
        otherwise: { outcome: 'conflict', remaining: 0 },
        ...(leavesLocked && { ifLocked: { outcome: 'locked', remaining: 0 } as const }),
        decide: (found) => decideHold(found, request, holdSeconds * 1_000),
      }),
    async renewHold(generationId) {
      const { rows } = await sql`
        update holds
        set expires_at = case when state = 'held' then clock_timestamp() + make_interval(secs => ${holdSeconds}) else expires_at end
        where generation_id = ${generationId}
        returning generation_id`.execute(db)
      return rows.length > 0
    },
    settle: (generationId, charge, warnAt, end) => run(settlement({ generationId, charge, end }, warnAt)),
    async settleFinished(eventId, { userId, ...ending }, warnAt) {
      await run({ ...settlement(ending, warnAt), userId, eventId, makesAccount: true })
    },
    async releaseExpired(limit) {
      const expired = await db
        .selectFrom('holds')
        .select('generation_id as generationId')
        .where('state', '=', 'held')
        .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const sweep = { ifLocked: false, otherwise: false, decide: decideExpiry }
      const released = await Promise.all(expired.map(({ generationId }) => run({ generationId, ...sweep })))
      return released.filter(Boolean).length
    },
    async countOpen() {
      const { rows } = await sql<OpenHolds>`
        select count(*)::int as open, count(*) filter (where expires_at < now() - interval '1 minute')::int as overdue
        from holds where state = 'held'`.execute(db)
      return rows[0] ?? { open: 0, overdue: 0 }
    },
    async forgetOver(days, limit) {
      const forgotten = await deleteOverHolds(db, days, limit).executeTakeFirst()
      return Number(forgotten.numDeletedRows)
    },
  }
}

/** Deletes the oldest ended holds. Exported for the test of its query plan. */
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
