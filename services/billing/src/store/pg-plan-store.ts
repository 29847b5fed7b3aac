import type { Plan } from '@parley/contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { PlanFields, PlanStore } from './plan-store.ts'
import type { BillingDatabase } from './schema.ts'

/** Plans in PostgreSQL; foreign keys decide whether one may go. */
export function createPgPlanStore(db: Kysely<BillingDatabase>): PlanStore {
  const select = () =>
    db
      .selectFrom('plans')
      .selectAll()
      .select((plan) => sql<boolean>`${plan.ref('plans.id')} = (select plan_id from default_plan)`.as('is_default'))
  const find = async (id: string): Promise<Plan | undefined> => {
    const row = await select().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : toPlan(row)
  }
  return {
    async list() {
      return (await select().orderBy('monthly_credits').orderBy('created_at').orderBy('id').execute()).map(toPlan)
    },
    async create(id, fields, actorId) {
      const values = { id, ...toColumns(fields), updated_by: actorId }
      await db.insertInto('plans').values(values).execute()
      return { id, ...fields, default: false }
    },
    async update(id, fields, actorId) {
      await db
        .updateTable('plans')
        .set({ ...toColumns(fields), updated_by: actorId })
        .where('id', '=', id)
        .execute()
      return find(id)
    },
    async remove(id) {
      try {
        const { numDeletedRows } = await db.deleteFrom('plans').where('id', '=', id).executeTakeFirst()
        return numDeletedRows > 0n ? 'removed' : 'unknown'
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'in_use'
        throw error
      }
    },
    async makeDefault(id) {
      await sql`update default_plan set plan_id = plans.id from plans where plans.id = ${id}`.execute(db)
      return find(id)
    },
  }
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
