import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@parley/kit'
import {
  type AllInOneProcess,
  type ApiAnswer,
  type ApiCaller,
  apiClient,
  type FakeProvider,
  openAllInOneProcess,
  seeded,
  startFakeProvider,
  waitUntil,
} from '@parley/testing'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'

const password = 'a long first password'
/** A first start creates the database, possibly on a busy machine. */
const startMs = 120_000
const kills = 50
/** Every tenth kill is of the server itself. */
const serverEvery = 10
const callers = 4
/** Answers between two kills, so that each kill hits requests in flight. */
const answersBetween = 4
const unlimited = { rateLimits: { web: { windowMinutes: 1, maxRequests: 1_000_000 } } }

let parley: AllInOneProcess
let provider: FakeProvider
afterEach(async () => {
  await parley?.close()
  await provider?.close()
})

it('Parley in one process survives 50 kills of database connections and the server: requests get 503, never 500, then succeed', async () => {
  provider = await startFakeProvider()
  parley = await openAllInOneProcess(await mkdtemp(join(tmpdir(), 'parley-lost-')), {
    ADMIN_PASSWORD: password,
    DEEPSEEK_API_KEY: 'none',
    DEEPSEEK_BASE_URL: provider.openaiUrl,
  })
  const { ready, exit, output } = await parley.start()
  await ready(startMs)
  let hasEnded = false
  void exit.then(() => {
    hasEnded = true
  })
  const calls = callsOf(await signIn())
  const answers: ApiAnswer[] = []
  const killing = new AbortController()
  const calling = Array.from({ length: callers }, async (_, nth) => {
    for (let turn = nth; !killing.signal.aborted && !hasEnded; turn += 1) {
      answers.push(await (calls[turn % calls.length] as Call)())
    }
  })
  const random = seeded(1)
  for (let nth = 1; nth <= kills && !hasEnded; nth += 1) {
    const enough = answers.length + answersBetween
    await waitUntil(() => answers.length >= enough || hasEnded, 'answers', 60_000)
    if (nth % serverEvery === 0) await killServer(random(2) === 0 ? 'SIGKILL' : 'SIGQUIT')
    else await killConnection(random)
  }
  killing.abort()
  await Promise.all(calling).catch((error: unknown) => {
    throw new Error(`Parley does not answer any more; it printed:\n${output()}`, { cause: error })
  })
  expect([...new Set(answers.map(kindOf))].toSorted()).toEqual(['200', '503 unavailable with Retry-After'])
  for (const call of calls) await expect.poll(async () => (await call()).status, { timeout: 60_000 }).toBe(200)
  expect(hasEnded).toBe(false)
})

type Call = () => Promise<ApiAnswer>

async function signIn(): Promise<ApiCaller> {
  const client = apiClient(parley.url)
  const { body } = await client.post('/api/auth/login', { identifier: 'admin', password })
  const api = client.with({ authorization: `Bearer ${(body as { token: string }).token}` })
  expect(await api.patch('/api/admin/settings', unlimited)).toMatchObject({ status: 200 })
  return api
}

/** Reads and transactions of every service. */
const callsOf = (api: ApiCaller): readonly Call[] => [
  () => api.get('/api/chat/history'),
  () => api.get('/api/user/credits'),
  () => api.get('/api/chat/models/hierarchy'),
  () => api.get('/api/admin/users'),
  () => api.patch('/api/admin/settings', { guest: { enabled: true } }),
  () => api.post('/api/chat', { message: 'hi', model: 'v3', clientMessageId: newId() }),
]

function kindOf({ status, headers, text }: ApiAnswer): string {
  if (status < 500) return String(status)
  const { code } = JSON.parse(text) as { code: string }
  return `${status} ${code} ${headers['retry-after'] === undefined ? 'without' : 'with'} Retry-After`
}

async function killServer(signal: NodeJS.Signals): Promise<void> {
  const before = await waitUntil(() => parley.postmaster(), 'the server')
  process.kill(before, signal)
}

/** Kills one of Parley's connections, once the server accepts ours. */
async function killConnection(random: (below: number) => number): Promise<void> {
  const kill = async (): Promise<true | undefined> => {
    const client = new pg.Client({ connectionString: await parley.postgresUrl(), connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid",
      )
      const victim = rows[random(rows.length)]
      if (victim !== undefined) await client.query('select pg_terminate_backend($1)', [victim.pid])
      return victim && true
    } catch {
      // The server is restarting.
      return undefined
    } finally {
      await client.end()
    }
  }
  await waitUntil(kill, 'a connection to end', 60_000, 20)
}
