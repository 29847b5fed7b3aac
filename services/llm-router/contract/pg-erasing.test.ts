import { openPostgres } from '@parley/db'
import { anonymousId, createLogger } from '@parley/kit'
import { adminAct, testDatabase } from '@parley/testing'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openLlmRouterStores } from '../src/store/index.ts'
import type { LlmRouterTables } from '../src/store/tables.ts'

const log = createLogger('test', 'silent')

it('an admin with a model change in progress is erased without a deadlock, and the change is anonymised', async () => {
  const database = await testDatabase()
  const stores = openLlmRouterStores({ url: database.url, log })
  await stores.migrate()
  const other = openPostgres<LlmRouterTables>({ url: database.url, schema: 'llm_router', log })
  const waiting = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        other.db,
      )
    ).rows.length
  try {
    for (const actorId of ['ann', 'bob', 'carl']) {
      await stores.models.change('v3', { description: `Of ${actorId}` }, { ...adminAct(), actorId })
      const model = other.db.selectFrom('models').where('id', '=', 'v3')
      const tx = await other.db.startTransaction().execute()
      await sql`select from models where id = 'v3' for no key update`.execute(tx)
      const erasing = stores.erasures.erase(actorId)
      await expect.poll(waiting, { interval: 5 }).toBe(1)
      await tx.updateTable('models').set({ updated_by: actorId }).where('id', '=', 'v3').execute()
      await tx.commit().execute()
      await erasing
      expect(await model.select('updated_by').executeTakeFirst()).toEqual({ updated_by: anonymousId(actorId) })
    }
  } finally {
    await other.close()
    await stores.close()
    await database.drop()
  }
})
