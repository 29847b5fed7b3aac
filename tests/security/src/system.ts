import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '@parley/contracts'
import {
  type ApiCaller,
  type ApiClient,
  apiClient,
  type FakeProvider,
  openAllInOneProcess,
  startFakeProvider,
} from '@parley/testing'

const password = 'correct horse battery'
/** The first start creates the database, which is slow on a busy machine. */
const startMs = 120_000

/** A user with an account. */
export interface Person {
  readonly token: string
  readonly api: ApiCaller
}

/** The attacked Parley, in a process of its own, as `npm start` runs it. */
export interface System {
  readonly url: string
  /** URL of the mail inbox's page. */
  readonly inboxUrl: string
  readonly admin: Person
  /** Without credentials. */
  readonly client: ApiClient
  /** Registers a new account. */
  person(): Promise<Person>
  /** A caller who may call the route. */
  callerOf(route: Route): ApiCaller
  /** True while the started process still serves requests. */
  isAlive(): Promise<boolean>
  /** Peak memory of the process in bytes; undefined where the operating system does not report it. */
  mostMemory(): Promise<number | undefined>
  close(): Promise<void>
}

/** Starts a system without rate limits, which are not under test. @param environment additional variables */
export async function openSystem(environment: Readonly<Record<string, string>> = {}): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-security-'))
  const provider: FakeProvider = await startFakeProvider()
  const parley = await openAllInOneProcess(folder, {
    ADMIN_PASSWORD: password,
    DEEPSEEK_API_KEY: 'none',
    DEEPSEEK_BASE_URL: provider.openaiUrl,
    ...environment,
  })
  const running = await parley.start()
  await running.ready(startMs)
  const client = apiClient(parley.url)
  const as = (token: string): Person => ({ token, api: client.with({ authorization: `Bearer ${token}` }) })
  const enter = async (path: string, body: object): Promise<Person> => {
    const answer = await client.post(path, body)
    const { token } = answer.body as { readonly token?: string }
    if (token === undefined) throw new Error(`${path}: ${answer.text}`)
    return as(token)
  }
  const admin = await enter('/api/auth/login', { identifier: 'admin', password })
  const settings = {
    rateLimits: { web: { windowMinutes: 1, maxRequests: 1_000_000 } },
    emailVerificationRequired: false,
  }
  const { status, text } = await admin.api.patch('/api/admin/settings', settings)
  if (status !== 200) throw new Error(`settings: ${text}`)
  let people = 0
  const person = async (): Promise<Person> => {
    people += 1
    const username = `person-${people}`
    return await enter('/api/auth/register', { username, email: `${username}@parley.test`, password })
  }
  const first = await person()
  return {
    ...{ url: parley.url, admin, client, person },
    inboxUrl: /Inbox: +(\S+)/.exec(running.output())?.[1] ?? '',
    callerOf: ({ access }) => (access === 'admin' ? admin.api : first.api),
    isAlive: async () => (await client.get('/healthz')).status === 200 && running === parley.process,
    async mostMemory() {
      const told = await readFile(`/proc/${running.pid}/status`, 'utf8').catch(() => '')
      const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(told)?.[1]
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
    },
    async close() {
      await client.close()
      await parley.close()
      await provider.close()
    },
  }
}
