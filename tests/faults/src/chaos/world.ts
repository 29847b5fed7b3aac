import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiCaller, openAllInOneProcess, openLoadUsers, startFakeProvider, waitUntil } from '@parley/testing'
import pg from 'pg'

/** An all-in-one Parley on data of its own, with a scripted provider and users with credits. */
export type World = Awaited<ReturnType<typeof openWorld>>

const userCount = 4
const password = 'correct horse battery'
const readyMs = 120_000

/** Starts the system and registers users. */
export async function openWorld() {
  await using starting = new AsyncDisposableStack()
  const provider = starting.adopt(await startFakeProvider(), (opened) => opened.close())
  const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
  const variables = {
    ADMIN_PASSWORD: password,
    DEEPSEEK_API_KEY: 'none',
    DEEPSEEK_BASE_URL: provider.openaiUrl,
  }
  const parley = starting.adopt(await openAllInOneProcess(folder, variables), (opened) => opened.close())
  await (await parley.start()).ready(readyMs)
  const people = starting.adopt(await openLoadUsers(parley.url, password, userCount), (opened) => opened.close())
  const started = starting.move()
  return {
    parley,
    provider,
    /** All users, signed in again: tokens expire during a long run. */
    async signIn(): Promise<readonly ApiCaller[]> {
      await Promise.all(people.users.map((user) => user.signIn()))
      return people.users.map(({ api }) => api)
    },
    /** Queries Parley's database as its superuser, waiting until it is available. */
    query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<readonly Row[]> =>
      waitUntil(async () => ask<Row>(await parley.postgresUrl(), text, values), 'the database', 60_000, 50),
    close: (): Promise<void> => started.disposeAsync(),
  }
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
