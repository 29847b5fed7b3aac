import { openMemoryHub } from '@parley/cache'
import { apiClient, type FakeProvider, startFakeProvider, testDatabase, testLog } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeParley, type Parley } from '../src/compose.ts'
import { testConfig } from './given.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let provider: FakeProvider
let parley: Parley
const hub = openMemoryHub({ log: testLog })
beforeAll(async () => {
  ;[database, provider] = await Promise.all([testDatabase(), startFakeProvider()])
  parley = await composeParley({
    config: testConfig(provider, { FIRST_TOKEN_SECONDS: '1' }),
    engines: { postgresUrl: database.url, hub },
    log: testLog,
  })
})
afterAll(async () => {
  await parley.stop()
  await Promise.all([provider.close(), hub.close()])
  await database.drop()
})

it('an answer fails once its first token has not come in FIRST_TOKEN_SECONDS', async () => {
  provider.always({ hang: 'before-first' })
  const api = apiClient(parley.url)
  const accept = { headers: { accept: 'application/json' } }
  const answer = await api.post('/api/chat', { message: 'Hello', model: 'v3' }, accept)
  expect(answer).toMatchObject({ status: 504, body: { code: 'provider_timeout' } })
  // By llm-router, before chat would have cancelled the call.
  expect(await parley.metrics()).toMatch(/^provider_first_token_seconds_count\{.*outcome="provider_timeout".* 1$/m)
  await api.close()
})
