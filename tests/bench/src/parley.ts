import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { channelTo, end } from './process-channel.ts'
import type { Target } from './processes/load-process.ts'

/** The whole system in a process of its own, on fresh data, with the stub as its provider. */
export type Parley = Awaited<ReturnType<typeof startParley>>

const main = fileURLToPath(new URL('../../../services/all-in-one/src/main.ts', import.meta.url))
const monitors = {
  loop: new URL('./processes/loop-monitor.ts', import.meta.url).href,
  'look-ups': new URL('./processes/look-ups-monitor.ts', import.meta.url).href,
} as const
const unmetered = new URL('./processes/unmetered.ts', import.meta.url).href
/** Name and password of the first admin. */
export const admin = { identifier: 'admin', password: 'a long password of the benchmark' } as const
/** Milliseconds; includes the creation of a fresh PostgreSQL. */
const startLimit = 60_000

/** Differences from a fresh, complete system. */
interface ParleyOptions {
  /** Data directory of an earlier start; it is kept. */
  readonly dataDir?: string
  /** Requests of programs are not charged, see `processes/unmetered.ts`. */
  readonly isUnmetered?: boolean
  /** What answers questions in its process, `processes/<monitor>-monitor.ts`; that of the event loop by default. */
  readonly monitor?: keyof typeof monitors
  /** More environment variables. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts Parley and lifts its rate limits, which are not under test. @param provider the stub's base URL */
export async function startParley(
  provider: string,
  { dataDir: givenDir, isUnmetered = false, monitor = 'loop', variables }: ParleyOptions = {},
) {
  const dataDir = givenDir ?? (await mkdtemp(join(tmpdir(), 'parley-bench-')))
  const loaded = [monitors[monitor], ...(isUnmetered ? [unmetered] : [])]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...loaded.flatMap((file) => ['--import', file]), main], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Lets a run measure another build of the web application.
      WEB_DIR: process.env.WEB_DIR,
      PORT: '0',
      INBOX_PORT: '0',
      // Attempts are counted per network: rows that need many name a network in each call.
      TRUSTED_PROXIES: '127.0.0.1/32',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ADMIN_PASSWORD: admin.password,
      DEEPSEEK_API_KEY: 'bench',
      DEEPSEEK_BASE_URL: provider,
      ...variables,
    },
  })
  // Parley stops with the benchmark, however that ends.
  const endChild = (): boolean => child.kill('SIGTERM')
  process.once('exit', endChild)
  const stop = async (): Promise<void> => {
    process.off('exit', endChild)
    await end(child, 20_000)
    if (givenDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await readyUrl(child)
    const readyMs = performance.now() - startedAt
    let token: string
    const signIn = async (): Promise<void> => {
      token = (await callApi<{ token: string }>(url, undefined, 'POST', '/auth/login', admin)).token
    }
    await signIn()
    const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
      callApi<T>(url, token, method, path, body)
    const rateLimits = { web: { maxRequests: 1_000_000 }, apiV1: { maxRequests: 1_000_000 } }
    const storage = { maxBytesPerUser: 0, maxChatsPerUser: 0 }
    await call('PATCH', '/admin/settings', { rateLimits, storage, emailVerificationRequired: false })
    await call('PATCH', '/admin/plans/free', { requestsPerWindow: 1_000_000 })
    return {
      url,
      /** Its data directory. */
      dataDir,
      /** Milliseconds from the start of the command until it reports that it is ready. */
      readyMs,
      /** Signs the admin in again: a token expires after a quarter of an hour. */
      signIn,
      /** Access token of the first admin; each `signIn` replaces it. */
      get token() {
        return token
      },
      /** The first message of a new chat. */
      chat: (): Target => chatTarget(url, token),
      /** @throws Error unless the response is a success */
      call,
      /** As another user or, without a token, anonymously. @throws Error unless the response is a success */
      callAs: <T>(as: string | undefined, method: string, path: string, body?: unknown): Promise<T> =>
        callApi(url, as, method, path, body),
      /** Sends a question to the monitor in its process. */
      ask: channelTo(child, 'Parley'),
      /** Resident memory of its process in megabytes (1,000,000 bytes), without PostgreSQL's processes. */
      memory: (): number => memoryOf(child),
      /** Stops it and removes its data, unless the folder was passed in. */
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const chatTarget = (url: string, token: string): Target => ({
  url: `${url}/api/chat`,
  headers: { authorization: `Bearer ${token}` },
  body: { message: 'Say a few words.', model: 'v3' },
})

function memoryOf({ pid }: ChildProcess): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return (Number(kibibytes) * 1_024) / 1_000_000
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The output of Parley cannot be read')
  const lines = createInterface({ input: child.stdout })
  const timer = setTimeout(() => lines.close(), startLimit)
  try {
    for await (const line of lines) {
      const url = /ready at (http:\/\/[^\s/]+)/i.exec(line)?.[1]
      // Saves a DNS lookup per connection.
      if (url !== undefined) return url.replace('localhost', '127.0.0.1')
    }
  } finally {
    clearTimeout(timer)
    // An unread pipe would block the writer.
    child.stdout.resume()
  }
  throw new Error(`Parley ended, or was not ready within ${startLimit} ms`)
}

async function callApi<T>(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}
