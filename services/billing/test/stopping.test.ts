import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import { billingInternalRoutes as internal, keyInternalRoutes, keyRoutes } from '@parley/contracts'
import { createMetrics, createServiceClient, hashKeySecret, newId, startService, systemClock } from '@parley/kit'
import {
  apiClient,
  servicePrincipal,
  testDatabase,
  testEvent,
  testIdentity,
  testLog,
  userPrincipal,
} from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBillingService } from '../src/service.ts'
import { openBillingStores } from '../src/store/index.ts'

const log = testLog
const identity = testIdentity()
let database: Awaited<ReturnType<typeof testDatabase>>
let bus: Awaited<ReturnType<typeof openPgBus>>
beforeAll(async () => {
  database = await testDatabase()
  bus = await openPgBus({ url: database.url, log })
})
afterAll(async () => {
  await bus.close()
  await database.drop()
})

async function start() {
  const stores = openBillingStores({ url: database.url, log })
  const metrics = createMetrics('billing', false)
  const auth = createServiceClient({ self: 'billing', locate: () => '', identity })
  const hub = openMemoryHub({ log })
  const tools = {
    stores,
    bus,
    signal: hub.open('billing').signal,
    keyWindows: hub.open('billing').counterOf('llm-router'),
    client: auth,
    identity,
    metrics,
    log,
    newId,
    now: systemClock,
  }
  const deps = { ...tools, holdRetentionDays: 90 }
  const running = await startService(createBillingService(deps), { host: '127.0.0.1', port: 0 })
  const client = apiClient(running.url, identity)
  return {
    as: client.as,
    chat: client.as(servicePrincipal('chat')),
    async stop() {
      await client.close()
      await running.stop(100)
      await Promise.all([auth.close(), stores.close(), hub.close()])
    },
  }
}

it('a stopped replica takes no events from the running one', async () => {
  const leaving = await start()
  const staying = await start()
  await leaving.stop()
  const userId = newId()
  await bus.publish([testEvent('auth.user-registered', userId, { userId })])
  const known = async () => (await staying.chat.call(internal.accounts, { body: { userIds: [userId] } })).body.accounts
  await expect.poll(known).toMatchObject([{ userId }])
  await staying.stop()
})

it('a replica that stops keeps the last use of a key that it has just noted', async () => {
  const [leaving, staying] = [await start(), await start()]
  const owner = userPrincipal()
  const { secret } = (await leaving.as(owner).call(keyRoutes.createKey, { body: { label: 'Build' } })).body
  await leaving
    .as(servicePrincipal('gateway'))
    .call(keyInternalRoutes.find, { params: { hash: hashKeySecret(secret) } })
  await leaving.stop()
  const [key] = (await staying.as(owner).call(keyRoutes.keys)).body.keys
  expect(key?.lastUsed).toEqual(expect.any(String))
  await staying.stop()
})
