import { type Model, providerIds } from '@parley/contracts'
import type { PostgresDatabase } from '@parley/db'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { ModelFields, ModelStore } from './model-store.ts'
import { columnOf, type LlmRouterTables, type ModelRow, type ModelTable } from './tables.ts'

/** The registry in PostgreSQL. */
export function createPgModelStore({ db }: Pick<PostgresDatabase<LlmRouterTables>, 'db'>): ModelStore {
  const list = async (): Promise<Model[]> =>
    (await db.selectFrom('models').selectAll().orderBy('position').execute()).map(toModel)
  return {
    list,
    async find(id) {
      const row = await db.selectFrom('models').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toModel(row)
    },
    async add(id, fields, adminId) {
      const row = await db
        .insertInto('models')
        .values({ ...(toColumns(fields) as Insertable<ModelTable>), id, updated_by: adminId })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toModel(row)
    },
    async change(id, fields, adminId) {
      const row = await db
        .updateTable('models')
        .set({ ...toColumns(fields), updated_by: adminId, updated_at: sql`now()` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toModel(row)
    },
    async remove(id) {
      const removed = await db
        .with('unlinked', (query) =>
          query
            .updateTable('models')
            .set({ fallback_models: sql`array_remove(fallback_models, ${id})` })
            .where(sql<boolean>`${id} = any(fallback_models)`)
            .where('id', '!=', id)
            .returning('id'),
        )
        .deleteFrom('models')
        .where('id', '=', id)
        .executeTakeFirst()
      return removed.numDeletedRows > 0
    },
    async toggle(enabled, provider, adminId) {
      await db
        .updateTable('models')
        .set({ enabled, updated_by: adminId, updated_at: sql`now()` })
        .where('provider', 'in', provider === undefined ? [...providerIds] : [provider])
        .where('enabled', '!=', enabled)
        .execute()
      return list()
    },
    async recordAnswer(id, durationMs) {
      await db
        .updateTable('models')
        .set({
          total_requests: sql`total_requests + 1`,
          average_response_ms: sql`average_response_ms + (${durationMs} - average_response_ms) / (total_requests + 1)`,
          last_used: sql`now()`,
        })
        .where('id', '=', id)
        .execute()
    },
  }
}

function toColumns(fields: Partial<ModelFields>): Updateable<ModelTable> {
  const columns = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [
      columnOf[field as keyof ModelFields],
      // The driver writes arrays as PostgreSQL's arrays, and this one is a document.
      field === 'customHeaders' ? JSON.stringify(value) : value,
    ])
  return Object.fromEntries(columns)
}

function toModel(row: ModelRow): Model {
  const fields = Object.entries(columnOf).map(([field, column]) => [field, row[column]])
  return {
    id: row.id,
    ...(Object.fromEntries(fields) as ModelFields),
    usage: {
      totalRequests: row.total_requests,
      averageResponseMs: Math.round(row.average_response_ms),
      lastUsed: row.last_used?.toISOString() ?? null,
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  }
}
