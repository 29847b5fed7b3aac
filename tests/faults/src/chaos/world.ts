import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AllInOneProcess,
  type ApiCaller,
  type ApiClient,
  apiClient,
  type FakeProvider,
  openAllInOneProcess,
  startFakeProvider,
  waitUntil,
} from '@parley/testing'
import pg from 'pg'

/** An all-in-one Parley on data of its own, with a scripted provider and users with credits. */
export interface World {
  readonly parley: AllInOneProcess
  readonly provider: FakeProvider
  /** All users, signed in again: tokens expire during a long run. */
  signIn(): Promise<readonly ApiCaller[]>
  /** Queries Parley's database as its superuser, waiting until it is available. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

const people = ['ann', 'bob', 'cleo', 'dan']
const password = 'correct horse battery'
const readyMs = 120_000
const settings = {
  rateLimits: { web: { windowMinutes: 1, maxRequests: 1_000_000 } },
  emailVerificationRequired: false,
}

/** Starts the system and registers users. */
export async function openWorld(): Promise<World> {
  const provider = await startFakeProvider()
  const parley = await openAllInOneProcess(await mkdtemp(join(tmpdir(), 'parley-chaos-')), {
    ADMIN_PASSWORD: password,
    DEEPSEEK_API_KEY: 'none',
    DEEPSEEK_BASE_URL: provider.openaiUrl,
  })
  const client = apiClient(parley.url)
  const world: World = {
    parley,
    provider,
    signIn: () => Promise.all(people.map((name) => signIn(client, name))),
    query: (text, values) =>
      waitUntil(async () => ask(await parley.postgresUrl(), text, values), 'the database', 60_000, 50),
    async close() {
      await client.close()
      await parley.close()
      await provider.close()
    },
  }
  try {
    await (await parley.start()).ready(readyMs)
    await register(client)
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

async function register(client: ApiClient): Promise<void> {
  const admin = await signIn(client, 'admin')
  await expectDone(admin.patch('/api/admin/settings', settings))
  await expectDone(admin.patch('/api/admin/plans/free', { requestsPerWindow: 1_000_000 }))
  for (const username of people) {
    const body = { username, email: `${username}@parley.test`, password }
    const { user } = (await expectDone(client.post('/api/auth/register', body))) as { user: { _id: string } }
    await expectDone(admin.post(`/api/admin/users/${user._id}/credits`, { amount: 1_000_000 }))
  }
}

async function signIn(client: ApiClient, identifier: string): Promise<ApiCaller> {
  const { token } = (await expectDone(client.post('/api/auth/login', { identifier, password }))) as { token: string }
  return client.with({ authorization: `Bearer ${token}` })
}

async function expectDone(call: ReturnType<ApiCaller['get']>): Promise<unknown> {
  const { status, body, text } = await call
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body
}

/** Undefined while the database is unavailable. */
async function ask<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 20_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch {
    await client.end()
    return undefined
  }
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
