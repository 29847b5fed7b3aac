import { openPostgres, type PostgresDatabase } from '@parley/db'
import { newId } from '@parley/kit'
import { testLog as log, type TestDatabase, testDatabase } from '@parley/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLlmRouterStores } from '../src/store/index.ts'
import { createPgResponseStore } from '../src/store/pg-response-store.ts'
import type { ResponseStore } from '../src/store/response-store.ts'
import type { LlmRouterTables } from '../src/store/tables.ts'

let database: TestDatabase
let postgres: PostgresDatabase<LlmRouterTables>
beforeAll(async () => {
  database = await testDatabase()
  const stores = openLlmRouterStores({ url: database.url, log })
  await stores.migrate()
  await stores.close()
  postgres = openPostgres({ url: database.url, schema: 'llm_router', log })
})
afterAll(async () => {
  await postgres.close()
  await database.drop()
})

const storeWith = (limits: Parameters<typeof createPgResponseStore>[1]): ResponseStore =>
  createPgResponseStore(postgres, limits)

/** Adds responses of 1 kB each, half of which is the answer's; each continues the one before. Resolves to their ids. */
async function addChain(store: ResponseStore, userId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const id = `resp_${newId()}`
    const input = [{ role: 'user' as const, content: 'x'.repeat(475) }]
    const output = [{ type: 'message', role: 'assistant' as const, content: 'y'.repeat(475) }]
    await store.add(userId, { previousId: ids.at(-1), input, response: { id, output } })
    ids.push(id)
  }
  return ids
}
const left = async (store: ResponseStore, userId: string, ids: readonly string[]): Promise<number[]> => {
  const found = await Promise.all(ids.map((id) => store.find(userId, id)))
  return found.flatMap((stored, nth) => (stored === undefined ? [] : [nth]))
}

it('a large response displaces the oldest of its owner, and of nobody else', async () => {
  const store = storeWith({ bytesOfOwner: 3_500, largeBytes: 500 })
  const [owner, other] = [newId(), newId()]
  // These are the sweep's.
  const ofOther = await addChain(storeWith({}), other, 5)
  const ids = await addChain(store, owner, 2)
  await storeWith({}).add(other, { previousId: undefined, input: [], response: { id: ids[0] ?? '', output: [] } })
  ids.push(...(await addChain(store, owner, 3)))
  expect(await left(store, owner, ids)).toEqual([2, 3, 4])
  expect(await left(store, other, ofOther)).toEqual([0, 1, 2, 3, 4])
  expect(await left(store, other, ids)).toEqual([0])
})

it('small responses are displaced by the sweep', async () => {
  const store = storeWith({ bytesOfOwner: 3_500 })
  const [owner, other] = [newId(), newId()]
  const ids = await addChain(store, owner, 5)
  const ofOther = await addChain(store, other, 5)
  expect(await left(store, owner, ids)).toEqual([0, 1, 2, 3, 4])
  await store.sweep(30)
  expect(await left(store, owner, ids)).toEqual([2, 3, 4])
  expect(await left(store, other, ofOther)).toEqual([2, 3, 4])
})

it('the sweep deletes responses that are older than the retention', async () => {
  const store = storeWith({})
  const owner = newId()
  const ids = await addChain(store, owner, 3)
  await sql`
    update stored_responses set created_at = now() - interval '31 days' where id in (${ids[0]}, ${ids[1]})
  `.execute(postgres.db)
  await store.sweep(32)
  expect(await left(store, owner, ids)).toEqual([0, 1, 2])
  await store.sweep(30)
  expect(await left(store, owner, ids)).toEqual([2])
})

it('a conversation is read whole or not at all, oldest first', async () => {
  const owner = newId()
  const ids = await addChain(storeWith({}), owner, 4)
  const last = ids.at(-1) ?? ''
  const read = async (limits: Parameters<typeof storeWith>[0]) =>
    (await storeWith(limits).conversation(owner, last))?.map(({ response }) => response.id)
  expect(await read({})).toEqual(ids)
  expect(await read({ conversationTurns: 4 })).toEqual(ids)
  expect(await read({ conversationTurns: 3 })).toBeUndefined()
  expect(await read({ conversationBytes: 4_500 })).toEqual(ids)
  expect(await read({ conversationBytes: 3_500 })).toBeUndefined()
  const [store, stranger] = [storeWith({}), newId()]
  expect(await store.conversation(stranger, last)).toBeUndefined()
  const response = { id: `resp_${newId()}`, output: [] }
  await store.add(stranger, { previousId: last, input: [], response })
  expect(await store.conversation(stranger, response.id)).toBeUndefined()
})

it('the items of at most 32 MB of responses are found, the newest first', async () => {
  const owner = newId()
  const ids = ['a', 'b', 'c'].map((name) => `msg_${name}_${owner}`)
  for (const id of ids) {
    const output = [{ id, type: 'message', role: 'assistant' as const, content: 'y'.repeat(900) }]
    const input = [{ role: 'user' as const, content: 'x'.repeat(5_000) }]
    await storeWith({}).add(owner, { previousId: undefined, input, response: { id: `resp_${newId()}`, output } })
  }
  const found = async (limits: Parameters<typeof storeWith>[0]) =>
    [...(await storeWith(limits).items(owner, ids)).keys()].sort()
  expect(await found({})).toEqual(ids)
  expect(await found({ conversationBytes: 2_500 })).toEqual(ids.slice(1))
})

it('all responses of an owner are read in order', async () => {
  const store = storeWith({})
  const owner = newId()
  const ids = await addChain(store, owner, 3)
  await addChain(store, newId(), 1)
  const read: string[] = []
  for await (const { response } of store.all(owner)) read.push(response.id)
  expect(read).toEqual(ids)
})
