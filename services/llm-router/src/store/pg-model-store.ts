import { type AdminChange, adminActed, eventOf } from '@parley/bus'
import { type EventOf, type Model, providerIds } from '@parley/contracts'
import { noteInInbox, type PostgresDatabase, writeEvents } from '@parley/db'
import {
  type AdminAct,
  createBatches,
  differenceOf,
  ensureUnchanged,
  newId,
  noLongerExists,
  type UndoingAct,
  undoneBefore,
} from '@parley/kit'
import { CamelCasePlugin, type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { AnswerUsage, ModelFields, ModelStore, UndoneChange } from './model-store.ts'
import type { LlmRouterTables, ModelRow, ModelTable } from './tables.ts'

/** An answer to be counted. */
interface Answered {
  /** The model's. */
  readonly id: string
  readonly durationMs: number
  readonly usage: AnswerUsage
}

/** Batching of answers to be counted: statistics for admins, which no caller waits for. */
const recording = { most: 500, gatherMs: 100 }

/** Counts a model's answers in one statement. It locks only the model's row. */
async function recordAnswers(db: Kysely<LlmRouterTables>, id: string, answers: readonly Answered[]): Promise<void> {
  const sum = (part: (one: Answered) => number): number => answers.reduce((total, one) => total + part(one), 0)
  const calls = answers.length
  const durationMs = sum((one) => one.durationMs)
  const inputTokens = sum(({ usage }) => usage.inputTokens)
  const outputTokens = sum(({ usage }) => usage.outputTokens)
  await sql`
    with used as (
      update models set total_requests = total_requests + ${calls}, last_used = now(),
        average_response_ms = average_response_ms + (${durationMs} - ${calls} * average_response_ms) / (total_requests + ${calls})
      where id = ${id}
      returning coalesce(input_price, 0)::numeric * ${inputTokens} + coalesce(output_price, 0)::numeric * ${outputTokens} as cost
    )
    insert into provider_days as had (day, model, calls, input_tokens, output_tokens, cost)
    select (now() at time zone 'UTC')::date, ${id}, ${calls}, ${inputTokens}, ${outputTokens}, cost from used
    on conflict (day, model) do update set calls = had.calls + excluded.calls, input_tokens = had.input_tokens + excluded.input_tokens,
      output_tokens = had.output_tokens + excluded.output_tokens, cost = had.cost + excluded.cost`.execute(db)
}

/** The registry in PostgreSQL. */
export interface PgModelStore extends ModelStore {
  /** Resolves when no answer is waiting to be counted. */
  recorded(): Promise<void>
}

/** Uses the service's own pool. */
export function createPgModelStore(database: Pick<PostgresDatabase<LlmRouterTables>, 'db'>): PgModelStore {
  const db = database.db.withPlugin(new CamelCasePlugin({ maintainNestedObjectKeys: true }))
  const list = async (): Promise<Model[]> =>
    (await db.selectFrom('models').selectAll().orderBy('position').execute()).map(toModel)
  const record = createBatches<Answered>(async (answers) => {
    for (const [id, ofModel] of Map.groupBy(answers, ({ item }) => item.id)) {
      const items = ofModel.map(({ item }) => item)
      try {
        await recordAnswers(db, id, items)
        for (const { resolve } of ofModel) resolve()
      } catch (error) {
        for (const { reject } of ofModel) reject(error)
      }
    }
  }, recording)
  const unrecorded = new Set<Promise<void>>()
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
          .values({ ...(toColumns(fields) as Insertable<ModelTable>), id, updatedBy: act.actorId })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        const told = { target: id, targetName: row.name, before: null, after: settingsOf(row) }
        await writeAdminActed(tx, act, { action: 'model.created', ...told })
        return toModel(row)
      }),
    change: (id, fields, act, version) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return undefined
        if (version !== undefined && version !== before.version) return { outcome: 'conflict', model: toModel(before) }
        const row = await set(tx, before, fields, act)
        await writeAdminActed(tx, act, { action: 'model.changed', ...changeOf(before, row) })
        return { outcome: 'changed', model: toModel(row) }
      }),
    remove: (id, act) =>
      db.transaction().execute(async (tx) => {
        const before = await lock(tx, id)
        if (before === undefined) return false
        await tx
          .updateTable('models')
          .set({ fallbackModels: sql`array_remove(fallback_models, ${id})`, version: sql`version + 1` })
          .where(sql<boolean>`${id} = any(fallback_models)`)
          .where('id', '!=', id)
          .execute()
        await tx.deleteFrom('models').where('id', '=', id).execute()
        const told = { target: id, targetName: before.name, before: settingsOf(before), after: null }
        await writeAdminActed(tx, act, { action: 'model.deleted', ...told })
        return true
      }),
    async toggle(enabled, provider, act) {
      await db.transaction().execute(async (tx) => {
        const changed = await tx
          .updateTable('models')
          .set({ enabled, updatedBy: act.actorId, updatedAt: sql`now()`, version: sql`version + 1` })
          .where('provider', 'in', provider === undefined ? [...providerIds] : [provider])
          .where('enabled', '!=', enabled)
          .returning('id')
          .execute()
        if (changed.length === 0) return
        const ids = changed.map(({ id }) => id)
        const difference = { before: { enabled: !enabled }, after: { enabled } }
        await tx
          .insertInto('modelActs')
          .values(ids.map((id) => actRow(act, id, difference)))
          .execute()
        await writeAdminActed(tx, act, { action: 'models.toggled', ...toggleOf(enabled, provider ?? null, ids) })
      })
      return list()
    },
    undo: (action, act, check) => db.transaction().execute((tx) => undoAct(tx, action, act, check)),
    recordAnswer(id, durationMs, usage) {
      const recorded = record({ id, durationMs, usage })
      unrecorded.add(recorded)
      return recorded.finally(() => unrecorded.delete(recorded))
    },
    async recorded() {
      await Promise.allSettled(unrecorded)
    },
    publishProviderDays: () => db.transaction().execute(publishProviderDays),
  }
}

/** Events are limited in size; for larger toggles the log has only the number. */
const toldModels = 500

type Tx = Transaction<LlmRouterTables>

const lock = (tx: Tx, id: string): Promise<ModelRow | undefined> =>
  tx.selectFrom('models').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Locks in a fixed order, so that transactions do not deadlock. */
const lockAll = (tx: Tx, ids: readonly string[]): Promise<ModelRow[]> =>
  tx.selectFrom('models').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()

/** Sets fields of a locked model, and records which of them changed. */
async function set(tx: Tx, before: ModelRow, fields: Partial<ModelFields>, act: AdminAct): Promise<ModelRow> {
  const row = await tx
    .updateTable('models')
    .set({
      ...toColumns(fields),
      ...{ updatedBy: act.actorId, updatedAt: sql`now()`, version: before.version + 1 },
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('modelActs')
    .values(actRow(act, row.id, differenceOf(fieldsOf(before), fieldsOf(row))))
    .execute()
  return row
}

/** Takes an act's models back to what they were before it, unless they have changed since. */
async function undoAct(
  tx: Tx,
  action: string,
  act: UndoingAct,
  check: (id: string, fields: ModelFields) => Promise<void>,
): Promise<UndoneChange> {
  const acts = await tx.selectFrom('modelActs').selectAll().where('entryId', '=', act.undoes).execute()
  const ids = acts.map((done) => done.modelId)
  const rows = ids.length === 0 ? [] : await lockAll(tx, ids)
  if (rows.length === 0) throw noLongerExists()
  if (act.undone) throw undoneBefore(presentOf(action, rows))
  let told: UndoneChange | undefined
  for (const before of rows) {
    const done = acts.find((one) => one.modelId === before.id) as (typeof acts)[number]
    const model = toModel(before)
    const [back, left] = [withMissing(done.before, done.after), withMissing(done.after, done.before)]
    ensureUnchanged(left, { ...model })
    // No rule depends on `enabled`, and a toggle may include hundreds of models.
    if (Object.keys(back).some((field) => field !== 'enabled')) await check(before.id, { ...model, ...back })
    const row = await set(tx, before, back, act)
    told = changeOf(before, row)
  }
  if (!(await noteInInbox(tx, 'llm-router.undo', act.undoes))) throw undoneBefore(presentOf(action, rows))
  if (action === 'models.toggled') {
    const providers = new Set(rows.map(({ provider }) => provider))
    const [provider] = providers.size === 1 ? providers : [null]
    told = toggleOf(
      acts[0]?.before.enabled === true,
      provider ?? null,
      rows.map(({ id }) => id),
    )
  }
  await writeAdminActed(tx, act, { action, reversible: true, ...(told as UndoneChange) })
  return told as UndoneChange
}

async function publishProviderDays(tx: Tx): Promise<void> {
  // Serialises publishers, so that each sees everything the previous one published.
  await sql`select pg_advisory_xact_lock(hashtextextended('llm-router.provider-days', 0))`.execute(tx)
  const { rows } = await sql<EventOf<'llm-router.provider-used'>['data']>`
    with told as (
      update provider_days set told_calls = calls where told_calls < calls returning day
    )
    select day::text as date, sum(calls)::bigint as calls, sum(input_tokens)::bigint as "inputTokens",
      sum(output_tokens)::bigint as "outputTokens", sum(cost)::float8 as cost
    from provider_days where day in (select day from told) group by day`.execute(tx)
  const told = rows.map((data) => eventOf('llm-router.provider-used', data.date, data, { id: newId(), at: new Date() }))
  await writeEvents(tx, told)
}

const actRow = ({ eventId }: AdminAct, id: string, { before, after }: { before: object; after: object }) => ({
  ...{ entryId: eventId, modelId: id },
  ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
})

/** The fields of one side of a change, with null for those only on the other side: an unknown price is left out. */
const withMissing = (fields: Partial<Model>, others: Partial<Model>): Partial<Model> => ({
  ...Object.fromEntries(Object.keys(others).map((name) => [name, null])),
  ...fields,
})

/** The present state of an act's models. */
const presentOf = (action: string, rows: readonly ModelRow[]): object =>
  action === 'models.toggled'
    ? { models: rows.map(({ id, enabled }) => ({ id, enabled })) }
    : { ...toModel(rows[0] as ModelRow) }

const changeOf = (before: ModelRow, after: ModelRow) => ({
  ...{ target: after.id, targetName: after.name, reversible: true },
  ...{ before: settingsOf(before), after: settingsOf(after) },
})

const toggleOf = (enabled: boolean, provider: string | null, ids: readonly string[]) => ({
  ...{ target: provider, targetName: provider ?? 'All providers', reversible: true },
  before: { enabled: !enabled },
  after: { enabled, models: ids.slice(0, toldModels), count: ids.length },
})

const writeAdminActed = (tx: Tx, act: AdminAct, change: AdminChange): Promise<void> =>
  writeEvents(tx, [adminActed('llm-router.admin-acted', act, change)])

/** Admin-editable fields for the audit log, without header values, which may be keys. */
function settingsOf(row: ModelRow): Omit<Model, 'usage'> {
  const { usage: _usage, ...model } = toModel(row)
  return { ...model, customHeaders: model.customHeaders.map(({ name }) => ({ name, value: '[hidden]' })) }
}

const toColumns = ({ customHeaders, ...fields }: Partial<ModelFields>): Updateable<ModelTable> => ({
  ...fields,
  // The driver would write a PostgreSQL array, but the column is JSON.
  ...(customHeaders && { customHeaders: JSON.stringify(customHeaders) }),
})

/** The fields set by admins. */
function fieldsOf(row: ModelRow): Record<string, unknown> {
  const { id, version, usage, createdAt, updatedAt, updatedBy, ...fields } = toModel(row)
  return fields
}

function toModel({ position, totalRequests, averageResponseMs, lastUsed, ...row }: ModelRow): Model {
  const { inputPrice, outputPrice, createdAt, updatedAt, ...fields } = row
  return {
    ...fields,
    // An unknown price is left out.
    ...(inputPrice !== null && { inputPrice }),
    ...(outputPrice !== null && { outputPrice }),
    usage: {
      totalRequests,
      averageResponseMs: Math.round(averageResponseMs),
      lastUsed: lastUsed?.toISOString() ?? null,
    },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
