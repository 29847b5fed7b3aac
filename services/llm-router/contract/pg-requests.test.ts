import { openPostgres } from '@parley/db'
import { createLogger, newId } from '@parley/kit'
import { testEvent } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLlmRouterStores } from '../src/store/index.ts'
import type { RepeatableRequest } from '../src/store/request-store.ts'
import type { LlmRouterTables } from '../src/store/tables.ts'

const log = createLogger('test', 'silent')
const answer = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }

let database: TestDatabase
let stores: ReturnType<typeof openLlmRouterStores>
let tables: ReturnType<typeof openPostgres<LlmRouterTables>>
beforeAll(async () => {
  database = await testDatabase()
  stores = openLlmRouterStores({ url: database.url, log })
  await stores.migrate()
  tables = openPostgres<LlmRouterTables>({ url: database.url, schema: 'llm_router', log })
})
afterAll(async () => {
  await tables.close()
  await stores.close()
  await database.drop()
})

const requests = () => stores.requests
/** The same request of two calls. */
function repeated(): readonly [RepeatableRequest, RepeatableRequest] {
  const request = { keyId: newId(), idempotencyKey: 'key', userId: 'ann', bodyHash: Buffer.alloc(32) }
  return [
    { ...request, generationId: newId() },
    { ...request, generationId: newId() },
  ]
}
const ended = ({ generationId, keyId, userId }: RepeatableRequest) =>
  testEvent('llm-router.request-finished', generationId, {
    ...{ generationId, keyId, userId, model: 'gpt', outcome: 'complete', charge: 5, responseMs: 1 },
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  })
const recorded = async ({ generationId }: RepeatableRequest): Promise<number> =>
  (await sql`select from outbox where key = ${generationId}`.execute(tables.db)).rows.length
const endLease = ({ keyId }: RepeatableRequest) =>
  sql`update idempotent_requests set lease_until = now() - interval '1 second' where key_id = ${keyId}`.execute(
    tables.db,
  )
const age = ({ keyId }: RepeatableRequest, by: string) =>
  sql`update idempotent_requests set created_at = now() - ${by}::interval where key_id = ${keyId}`.execute(tables.db)

it('a claim is its caller’s until its lease is over, then another’s, to which the former one does nothing any more', async () => {
  const [first, second] = repeated()
  expect(await requests().claim(first)).toBe('own')
  expect(await requests().claim(second)).toEqual({ running: first.generationId })
  await endLease(first)
  await requests().extend(first)
  expect(await requests().claim(second)).toEqual({ running: first.generationId })
  await endLease(first)
  expect(await requests().claim(second)).toBe('own')
  await requests().keep(first, answer, ended(first))
  await requests().release(first)
  expect(await requests().claim(first)).toEqual({ running: second.generationId })
  await requests().keep(second, answer, ended(second))
  expect(await requests().claim(first)).toEqual({ answered: second.generationId })
  expect(await requests().answer(first, second.generationId)).toEqual(answer)
  expect(await requests().answer(first, first.generationId)).toBeUndefined()
})

it('a claim is running until it is answered, released or its lease is over', async () => {
  const [answered] = repeated()
  const [released] = repeated()
  const [dead, other] = repeated()
  for (const request of [answered, released, dead]) {
    await requests().claim(request)
    expect(await requests().isRunning(request, request.generationId)).toBe(true)
  }
  await requests().keep(answered, answer, ended(answered))
  await requests().release(released)
  await endLease(dead)
  for (const request of [answered, released, dead]) {
    expect(await requests().isRunning(request, request.generationId)).toBe(false)
  }
  await requests().claim(other)
  expect(await requests().isRunning(other, dead.generationId)).toBe(false)
})

it('an answer is stored with the record of its end, both or neither', async () => {
  const [stored] = repeated()
  const [failed] = repeated()
  for (const request of [stored, failed]) await requests().claim(request)
  await requests().keep(stored, answer, ended(stored))
  const event = ended(failed)
  await requests().recordFinished([event])
  // The outbox takes no event twice.
  await expect(requests().keep(failed, answer, event)).rejects.toThrow()
  expect([await recorded(stored), await recorded(failed)]).toEqual([1, 1])
  expect(await requests().claim(failed)).toEqual({ running: failed.generationId })
})

it('an end that is recorded again, as after a lost reply, stays one event and delays no other', async () => {
  const [first, second] = repeated()
  await requests().claim(first)
  const event = ended(first)
  await requests().keep(first, answer, event)
  await requests().recordFinished([event, ended(second)])
  expect([await recorded(first), await recorded(second)]).toEqual([1, 1])
})

it('a released claim is free at once, but an answered one is not released', async () => {
  const [first, second] = repeated()
  await requests().claim(first)
  await requests().release(first)
  expect(await requests().claim(second)).toBe('own')
  await requests().keep(second, answer, ended(second))
  await requests().release(second)
  expect(await requests().claim(first)).toEqual({ answered: second.generationId })
})

it('an answer is kept for a day, whatever its lease; then its key is free, and the answer is swept', async () => {
  const [first, second] = repeated()
  const [other] = repeated()
  for (const request of [first, other]) {
    await requests().claim(request)
    await requests().keep(request, answer, ended(request))
    await endLease(request)
    await age(request, '23 hours 59 minutes')
  }
  await requests().sweep()
  expect(await requests().claim(second)).toEqual({ answered: first.generationId })
  await age(first, '24 hours 1 minute')
  expect(await requests().claim({ ...second, bodyHash: Buffer.alloc(32, 1) })).toBe('own')
  await age(other, '24 hours 1 minute')
  await requests().sweep()
  const { rows } =
    await sql`select generation_id as id from idempotent_requests where key_id in (${first.keyId}, ${other.keyId})`.execute(
      tables.db,
    )
  expect(rows).toEqual([{ id: second.generationId }])
})
