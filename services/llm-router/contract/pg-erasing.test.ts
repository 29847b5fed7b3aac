import { openPostgres } from '@parley/db'
import { anonymousId, createLogger } from '@parley/kit'
import { adminAct } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLlmRouterStores } from '../src/store/index.ts'
import type { LlmRouterTables } from '../src/store/tables.ts'

const log = createLogger('test', 'silent')

let database: TestDatabase
let stores: ReturnType<typeof openLlmRouterStores>
let other: ReturnType<typeof openPostgres<LlmRouterTables>>
beforeAll(async () => {
  database = await testDatabase()
  stores = openLlmRouterStores({ url: database.url, log })
  await stores.migrate()
  other = openPostgres<LlmRouterTables>({ url: database.url, schema: 'llm_router', log })
})
afterAll(async () => {
  await other.close()
  await stores.close()
  await database.drop()
})

const waiting = async () =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      other.db,
    )
  ).rows.length

it('an admin with a model change in progress is erased without a deadlock, and the change is anonymised', async () => {
  for (const actorId of ['ann', 'bob', 'carl']) {
    await stores.models.change('v3', { description: `Of ${actorId}` }, { ...adminAct(), actorId })
    const tx = await other.db.startTransaction().execute()
    await sql`select from models where id = 'v3' for no key update`.execute(tx)
    const erasing = stores.erasures.erase(actorId)
    await expect.poll(waiting, { interval: 5 }).toBe(1)
    await sql`update models set updated_by = ${actorId} where id = 'v3'`.execute(tx)
    await tx.commit().execute()
    await erasing
    expect(await stores.models.find('v3')).toMatchObject({ updatedBy: anonymousId(actorId) })
  }
})

it('a user whose request is being claimed under its Idempotency-Key is erased with the claim, and claims no other', async () => {
  const request = {
    keyId: 'k1',
    idempotencyKey: 'once',
    userId: 'dora',
    bodyHash: Buffer.alloc(32),
    generationId: 'g1',
  }
  const tx = await other.db.startTransaction().execute()
  await sql`
    insert into idempotent_requests (key_id, idempotency_key, user_id, body_hash, generation_id, lease_until)
    values ('k1', 'once', 'dora', ${request.bodyHash}, 'g0', now())`.execute(tx)
  const claiming = stores.requests.claim(request)
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  let isErased = false
  const erasing = stores.erasures.erase('dora').then(() => {
    isErased = true
  })
  await expect.poll(async () => isErased || (await waiting()) === 2, { interval: 5 }).toBe(true)
  await tx.rollback().execute()
  await Promise.all([claiming, erasing])
  expect((await sql`select from idempotent_requests`.execute(other.db)).rows).toEqual([])
  expect(await stores.requests.claim(request)).toBe('erased')
})
