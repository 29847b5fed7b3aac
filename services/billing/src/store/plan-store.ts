import { adminActed } from '@parley/bus'
import type { AdminPlan } from '@parley/contracts'
import { noteInInbox, writeEvents } from '@parley/db'
import {
  type AdminAct,
  type Difference,
  ensureUnchanged,
  noLongerExists,
  type UndoingAct,
  undoneBefore,
} from '@parley/kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { BillingDatabase } from './schema.ts'

/** The fields of a plan that admins edit. */
export type PlanFields = Omit<AdminPlan, 'id' | 'default' | 'version'>

/** The result of an update: the updated plan or, for an outdated version, the current one. */
export interface PlanUpdate {
  readonly outcome: 'changed' | 'conflict'
  readonly plan: AdminPlan
}

type Db = Kysely<BillingDatabase>

/** The available plans, exactly one of which is the default for new users at any time. Each change is written together with its event. */
export function createPlanStore(db: Db) {
  return {
    /** Cheapest first. */
    list: (): Promise<readonly AdminPlan[]> =>
      select(db).orderBy('monthly_credits').orderBy('created_at').orderBy(sql`id collate "C"`).execute(),
    /** Names of these plans, by id; unknown ones are missing. */
    async namesOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
      if (ids.length === 0) return {}
      const rows = await db.selectFrom('plans').select(['id', 'name']).where('id', 'in', ids).execute()
      return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
    },
    create: (id: string, fields: PlanFields, act: AdminAct): Promise<AdminPlan> =>
      db.transaction().execute(async (tx) => {
        await tx
          .insertInto('plans')
          .values({ id, ...toColumns(fields), updated_by: act.actorId })
          .execute()
        const plan = { id, ...fields, default: false, version: 1 }
        await writeAdminActed(tx, act, 'plan.created', undefined, plan)
        return plan
      }),
    /** Number of accounts by plan id; plans without accounts are missing. */
    async countUsers(): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ id: string; users: number }>`
        select plan_id as id, count(*)::int as users from accounts group by plan_id`.execute(db)
      return new Map(rows.map(({ id, users }) => [id, users]))
    },
    /**
     * Changed credits apply from each account's next month. Undefined for an unknown plan.
     * @param version the expected version; otherwise the update is refused with the current plan
     */
    update: (
      id: string,
      fields: Partial<PlanFields>,
      act: AdminAct,
      version?: number,
    ): Promise<PlanUpdate | undefined> =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return undefined
        if (version !== undefined && version !== before.version) return { outcome: 'conflict', plan: before }
        return { outcome: 'changed', plan: await change(tx, before, fields, act) }
      }),
    /** Undoes a change of a plan, once. Resolves to the plan before and after. @throws AppError conflict when it has changed since */
    undo: (id: string, { before: back, after: left }: Difference, act: UndoingAct) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) throw noLongerExists()
        if (act.undone) throw undoneBefore(before)
        ensureUnchanged(left, { ...before })
        if (!(await noteInInbox(tx, undoGroup, act.undoes))) throw undoneBefore(before)
        return { before, after: await change(tx, before, back, act) }
      }),
    /** Never removes the default plan or one in use, which foreign keys prevent even during concurrent changes. */
    async remove(id: string, act: AdminAct): Promise<'removed' | 'in_use' | 'unknown'> {
      try {
        return await db.transaction().execute(async (tx) => {
          const before = await lock(tx, id)
          if (before === undefined) return 'unknown'
          await tx.deleteFrom('plans').where('id', '=', id).execute()
          await writeAdminActed(tx, act, 'plan.deleted', before, undefined)
          return 'removed'
        })
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'in_use'
        throw error
      }
    },
    /** Undefined for an unknown plan. */
    makeDefault: (id: string, act: AdminAct): Promise<AdminPlan | undefined> =>
      db.transaction().execute(async (tx) => {
        // Before the default, in the order of a removal.
        if ((await lock(tx, id)) === undefined) return undefined
        const { plan_id } = await tx.selectFrom('default_plan').select('plan_id').forUpdate().executeTakeFirstOrThrow()
        await tx.updateTable('default_plan').set({ plan_id: id }).execute()
        const plan = (await find(tx, id)) as AdminPlan
        const change = {
          action: 'plan.made-default',
          target: id,
          targetName: plan.name,
          before: { planId: plan_id },
          after: { planId: id },
        }
        await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
        return plan
      }),
  }
}

/** Consumer group in which undone acts are recorded, once each. */
export const undoGroup = 'billing.undo'

async function change(
  tx: Transaction<BillingDatabase>,
  before: AdminPlan,
  fields: Partial<PlanFields>,
  act: AdminAct,
): Promise<AdminPlan> {
  await tx
    .updateTable('plans')
    .set({ ...toColumns({ ...before, ...fields }), updated_by: act.actorId, version: before.version + 1 })
    .where('id', '=', before.id)
    .execute()
  const plan = (await find(tx, before.id)) as AdminPlan
  await writeAdminActed(tx, act, 'plan.changed', before, plan)
  return plan
}

const select = (db: Db) =>
  db
    .selectFrom('plans')
    .select(['id', 'name', 'description', 'monthly_credits as monthlyCredits', 'window_ms as windowMs', 'version'])
    .select('requests_per_window as requestsPerWindow')
    .select(sql<boolean>`plans.id = (select plan_id from default_plan)`.as('default'))

const find = (db: Db, id: string): Promise<AdminPlan | undefined> => select(db).where('id', '=', id).executeTakeFirst()

/** Locks the plan until the transaction ends. */
const lock = (tx: Transaction<BillingDatabase>, id: string): Promise<AdminPlan | undefined> =>
  select(tx).where('id', '=', id).forNoKeyUpdate('plans').executeTakeFirst()

async function writeAdminActed(
  tx: Transaction<BillingDatabase>,
  act: AdminAct,
  action: string,
  before: AdminPlan | undefined,
  after: AdminPlan | undefined,
): Promise<void> {
  const { id: target = null, name: targetName } = after ?? before ?? {}
  const reversible = action === 'plan.changed'
  const change = { action, target, targetName, reversible, before: before ?? null, after: after ?? null }
  await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
}

/** The row to be deleted is still referenced. */
const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === '23503'

const toColumns = ({ name, description, monthlyCredits, requestsPerWindow, windowMs }: PlanFields) => ({
  ...{ name, description, monthly_credits: monthlyCredits },
  ...{ requests_per_window: requestsPerWindow, window_ms: windowMs },
})
