import { type AdminChange, adminActed } from '@parley/bus'
import { type Model, providerIds } from '@parley/contracts'
import { type PostgresDatabase, writeEvents } from '@parley/db'
import type { AdminAct } from '@parley/kit'
import { type Insertable, sql, type Transaction, type Updateable } from 'kysely'
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
    add: (id, fields, act) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('models')
          .values({ ...(toColumns(fields) as Insertable<ModelTable>), id, updated_by: act.actorId })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        await tell(tx, act, { action: 'model.created', target: id, before: null, after: settingsOf(row) })
        return toModel(row)
      }),
    change: (id, fields, act) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return undefined
        const row = await tx
          .updateTable('models')
          .set({ ...toColumns(fields), updated_by: act.actorId, updated_at: sql`now()` })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await tell(tx, act, {
          action: 'model.changed',
          target: id,
          before: settingsOf(before),
          after: settingsOf(row),
        })
        return toModel(row)
      }),
    remove: (id, act) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return false
        await tx
          .updateTable('models')
          .set({ fallback_models: sql`array_remove(fallback_models, ${id})` })
          .where(sql<boolean>`${id} = any(fallback_models)`)
          .where('id', '!=', id)
          .execute()
        await tx.deleteFrom('models').where('id', '=', id).execute()
        await tell(tx, act, { action: 'model.deleted', target: id, before: settingsOf(before), after: null })
        return true
      }),
    async toggle(enabled, provider, act) {
      await db.transaction().execute(async (tx) => {
        const changed = await tx
          .updateTable('models')
          .set({ enabled, updated_by: act.actorId, updated_at: sql`now()` })
          .where('provider', 'in', provider === undefined ? [...providerIds] : [provider])
          .where('enabled', '!=', enabled)
          .returning('id')
          .execute()
        if (changed.length === 0) return
        const models = changed.slice(0, toldModels).map(({ id }) => id)
        const [before, after] = [{ enabled: !enabled }, { enabled, models, count: changed.length }]
        await tell(tx, act, { action: 'models.toggled', target: provider ?? null, before, after })
      })
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

/** An event is limited in size; of a toggle of more models the log has the number. */
const toldModels = 300

type Tx = Transaction<LlmRouterTables>

const lock = (tx: Tx, id: string): Promise<ModelRow | undefined> =>
  tx.selectFrom('models').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const tell = (tx: Tx, act: AdminAct, change: AdminChange): Promise<void> =>
  writeEvents(tx, [adminActed('llm-router.admin-acted', act, change)])

/** What admins set of a model, for the audit log: values of headers may be keys. */
function settingsOf(row: ModelRow): Omit<Model, 'usage'> {
  const { usage: _usage, ...model } = toModel(row)
  return { ...model, customHeaders: model.customHeaders.map(({ name }) => ({ name, value: '[hidden]' })) }
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
