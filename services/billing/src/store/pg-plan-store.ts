import { adminActed } from '@parley/bus'
import type { Plan } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import type { AdminAct } from '@parley/kit'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { PlanFields, PlanStore } from './plan-store.ts'
import type { BillingDatabase } from './schema.ts'

type Db = Kysely<BillingDatabase>

/** Plans in PostgreSQL; foreign keys decide whether one may go. */
export function createPgPlanStore(db: Db): PlanStore {
  return {
    async list() {
      return (
        await select(db).orderBy('monthly_credits').orderBy('created_at').orderBy(sql`id collate "C"`).execute()
      ).map(toPlan)
    },
    create: (id, fields, act) =>
      db.transaction().execute(async (tx) => {
        await tx
          .insertInto('plans')
          .values({ id, ...toColumns(fields), updated_by: act.actorId })
          .execute()
        const plan = { id, ...fields, default: false }
        await tell(tx, act, 'plan.created', undefined, plan)
        return plan
      }),
    update: (id, fields, act) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return undefined
        await tx
          .updateTable('plans')
          .set({ ...toColumns(fields), updated_by: act.actorId })
          .where('id', '=', id)
          .execute()
        const plan = await find(tx, id)
        await tell(tx, act, 'plan.changed', before, plan)
        return plan
      }),
    async remove(id, act) {
      try {
        return await db.transaction().execute(async (tx) => {
          const before = await lock(tx, id)
          if (before === undefined) return 'unknown'
          await tx.deleteFrom('plans').where('id', '=', id).execute()
          await tell(tx, act, 'plan.deleted', before, undefined)
          return 'removed'
        })
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'in_use'
        throw error
      }
    },
    makeDefault: (id, act) =>
      db.transaction().execute(async (tx) => {
        const { plan_id } = await tx.selectFrom('default_plan').select('plan_id').forUpdate().executeTakeFirstOrThrow()
        await sql`update default_plan set plan_id = plans.id from plans where plans.id = ${id}`.execute(tx)
        const plan = await find(tx, id)
        if (plan === undefined) return undefined
        const change = { action: 'plan.made-default', target: id, before: { planId: plan_id }, after: { planId: id } }
        await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
        return plan
      }),
  }
}

const select = (db: Db) =>
  db
    .selectFrom('plans')
    .selectAll()
    .select((plan) => sql<boolean>`${plan.ref('plans.id')} = (select plan_id from default_plan)`.as('is_default'))

async function find(db: Db, id: string): Promise<Plan | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst()
  return row && toPlan(row)
}

/** The plan as it stays for others until the transaction ends. */
async function lock(tx: Transaction<BillingDatabase>, id: string): Promise<Plan | undefined> {
  const row = await select(tx).where('id', '=', id).forNoKeyUpdate('plans').executeTakeFirst()
  return row && toPlan(row)
}

async function tell(
  tx: Transaction<BillingDatabase>,
  act: AdminAct,
  action: string,
  before: Plan | undefined,
  after: Plan | undefined,
): Promise<void> {
  const target = (after ?? before)?.id ?? null
  const change = { action, target, before: before ?? null, after: after ?? null }
  await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
}

/** A row that is referred to should go. */
const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === '23503'

type PlanRow = Selectable<BillingDatabase['plans']> & { is_default: boolean }
const toPlan = (row: PlanRow): Plan => ({
  id: row.id,
  name: row.name,
  description: row.description,
  monthlyCredits: row.monthly_credits,
  requestsPerWindow: row.requests_per_window,
  windowMs: row.window_ms,
  default: row.is_default,
})

function toColumns(fields: PlanFields): Omit<Selectable<BillingDatabase['plans']>, 'id' | 'created_at' | 'updated_by'>
function toColumns(
  fields: Partial<PlanFields>,
): Partial<Omit<Selectable<BillingDatabase['plans']>, 'id' | 'created_at' | 'updated_by'>>
function toColumns(fields: Partial<PlanFields>) {
  return {
    name: fields.name,
    description: fields.description,
    monthly_credits: fields.monthlyCredits,
    requests_per_window: fields.requestsPerWindow,
    window_ms: fields.windowMs,
  }
}
