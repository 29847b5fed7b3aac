import { createBatches, newId } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { End } from '../credits/account.ts'
import {
  decideExpiry,
  decideHold,
  decideSettlement,
  type Ending,
  type HoldRequest,
  type HoldResult,
  type Settlement,
} from '../credits/hold.ts'
import type { Act, RunAct } from './acts.ts'
import type { BillingDatabase } from './schema.ts'

/** The end of a generation, from its event. */
export interface FinishedGeneration {
  readonly generationId: string
  readonly userId: string
  /** Credits to capture; 0 releases. */
  readonly charge: number
  /** Undefined when receipts and usage must not show it. */
  readonly end?: End | undefined
}

/** Counts of open holds. */
export interface OpenHolds {
  readonly open: number
  /** The subset that was not released within a minute after the end of its lifetime. */
  readonly overdue: number
}

/**
 * Credits set aside for generations, each captured or released once.
 * Every act is atomic and acts on one account are serialised, so two callers never spend the same credit and no balance falls
 * below 0. Every act appends to the ledger, where the sum of the deltas equals the balance at each row. The first settlement of a
 * generation wins, whatever is repeated or reordered. Time is the database's.
 * @param holdSeconds lifetime of a hold without renewal
 */
export function createCreditStore(db: Kysely<BillingDatabase>, run: RunAct, holdSeconds: number) {
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
  /** Settlements that this process is writing, by generation: the event of one often comes meanwhile. */
  const underWay = new Map<string, Promise<unknown>>()
  const isEnded = createBatches<GenerationOfUser, boolean>(
    async (batch) => {
      const asked = batch.map(({ item }) => item)
      const found = await findEnded(db, asked).catch((error: unknown) => ({ error }))
      for (const { item, resolve, reject } of batch) {
        if ('error' in found) reject(found.error)
        else resolve(found.has(item.generationId))
      }
    },
    { most: 100 },
  )
  return {
    /**
     * Sets credits aside until the lifetime ends; idempotent for the same generation and user.
     * @param leavesLocked resolves to `locked` instead of waiting for an account that is locked elsewhere
     */
    hold: (request: HoldRequest, leavesLocked = false): Promise<HoldResult> =>
      run({
        ...{ userId: request.userId, generationId: request.generationId, makesAccount: true },
        otherwise: { outcome: 'conflict', remaining: 0 },
        ...(leavesLocked && { ifLocked: { outcome: 'locked', remaining: 0 } as const }),
        decide: (found) => decideHold(found, request, holdSeconds * 1_000),
      }),
    /** Restarts the lifetime of a running hold; false for an unknown generation. An ended hold stays ended. */
    async renewHold(generationId: string): Promise<boolean> {
      const { rows } = await sql`
        update holds
        set expires_at = case when state = 'held' then clock_timestamp() + make_interval(secs => ${holdSeconds}) else expires_at end
        where generation_id = ${generationId}
        returning generation_id`.execute(db)
      return rows.length > 0
    },
    /**
     * Captures at most the held amount and returns the rest; the part from a past month lapses. An expired hold is charged from
     * the available credits, as far as they reach. Undefined for an unknown generation.
     * @param warnAt threshold as a percentage of the month's initial credits: a charge that reaches it publishes an event, once a month
     * @param end data for receipts and usage; an event of the same end then changes nothing
     */
    async settle(generationId: string, charge: number, warnAt?: number, end?: End): Promise<Settlement | undefined> {
      const settled = run(settlement({ generationId, charge, end }, warnAt))
      underWay.set(generationId, settled)
      return await settled.finally(() => underWay.delete(generationId))
    },
    /**
     * Like `settle`, once per event id, with the data for receipts and usage. A generation without a hold is charged from the available
     * credits, and cannot be held afterwards. An erased user is not charged.
     * @throws when the hold is another user's, without a change
     */
    async settleFinished(eventId: string, { userId, ...ending }: FinishedGeneration, warnAt?: number): Promise<void> {
      // The service that held it has told of its end with the settlement, as a rule: nothing is left to write then.
      await underWay.get(ending.generationId)?.catch(() => undefined)
      if (await isEnded({ generationId: ending.generationId, userId })) return
      await run({ ...settlement(ending, warnAt), userId, eventId, makesAccount: true })
    },
    /** Releases expired holds, at most `limit`; accounts in use are left for the next call. Resolves to their number. */
    async releaseExpired(limit: number): Promise<number> {
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
    /** Holds that are neither settled nor released. */
    async countOpen(): Promise<OpenHolds> {
      const { rows } = await sql<OpenHolds>`
        select count(*)::int as open, count(*) filter (where expires_at < now() - interval '1 minute')::int as overdue
        from holds where state = 'held'`.execute(db)
      return rows[0] ?? { open: 0, overdue: 0 }
    },
    /**
     * Deletes holds that ended this many days ago, the oldest first, at most `limit`. The ledger keeps their cost. Resolves to their number.
     * A later settlement finds no hold, so the time must exceed that of any redelivery.
     */
    async forgetOver(days: number, limit: number): Promise<number> {
      const forgotten = await deleteOverHolds(db, days, limit).executeTakeFirst()
      return Number(forgotten.numDeletedRows)
    },
  }
}

interface GenerationOfUser {
  readonly generationId: string
  readonly userId: string
}

/** Those of these generations whose end is recorded, which is written together with the settlement. */
async function findEnded(
  db: Kysely<BillingDatabase>,
  asked: readonly GenerationOfUser[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ generationId: string }>`
    select generation_id as "generationId" from generations
    join unnest(${asked.map(({ generationId }) => generationId)}::text[], ${asked.map(({ userId }) => userId)}::text[])
      as asked (generation_id, user_id) using (generation_id, user_id)
    where outcome is not null`.execute(db)
  return new Set(rows.map(({ generationId }) => generationId))
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
