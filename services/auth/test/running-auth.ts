import { openPgBus } from '@parley/bus'
import { type MemoryHub, openMemoryHub } from '@parley/cache'
import type { Event } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import {
  type Clock,
  createMetrics,
  createServiceClient,
  newId,
  type PasswordCost,
  type RunningService,
  type Secrets,
  startService,
  systemClock,
} from '@parley/kit'
import { type ApiClient, apiClient, testIdentity, testLog } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { reconcileExports } from '../src/account-data/data-export.ts'
import { type AuthService, createAuthService } from '../src/service.ts'
import type { SingleSignOnVariables } from '../src/single-sign-on/single-sign-on-config.ts'
import { openAuthStores } from '../src/store/index.ts'
import { startFakeBilling } from './fake-billing.ts'

export const secrets: Secrets = ['a secret of at least 32 characters']
export const identity = testIdentity()
const log = testLog
/** Passwords are hashed hundreds of times here. */
const leastCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }
export const adminPassword = 'only the admin knows this'

export interface AuthOptions {
  readonly database: TestDatabase
  readonly hub?: MemoryHub
  readonly publicUrl?: string
  readonly generatedAdminPassword?: boolean
  readonly secrets?: Secrets
  readonly now?: Clock
  readonly singleSignOn?: SingleSignOnVariables
  /** As little as argon2 allows, unless told. */
  readonly passwordCost?: PasswordCost
}
export type RunningAuth = Awaited<ReturnType<typeof startAuth>>

/** The real service on a free port over the given database; the hub is what its replicas share. */
export async function startAuth(options: AuthOptions) {
  const { database, publicUrl = 'http://localhost:8080' } = options
  const ownHub = options.hub === undefined ? openMemoryHub({ log }) : undefined
  const { signal } = (options.hub ?? (ownHub as MemoryHub)).open('auth')
  const billing = await startFakeBilling()
  const stores = openAuthStores({ url: database.url, log })
  const bus = await openPgBus({ url: database.url, log })
  const client = createServiceClient({ self: 'auth', locate: () => billing.url, identity })
  const config = {
    AUTH_SECRETS: options.secrets ?? secrets,
    PUBLIC_URL: publicUrl,
    ADMIN_USERNAME: 'root',
    ADMIN_EMAIL: 'root@localhost',
    ...(!options.generatedAdminPassword && { ADMIN_PASSWORD: adminPassword }),
    ...options.singleSignOn,
  }
  const metrics = createMetrics('auth', false)
  const service: AuthService = createAuthService({
    ...{ config, stores, bus, signal, client, identity, metrics, log, newId },
    now: options.now ?? systemClock,
    reconcileErasuresMs: 100,
    passwordCost: options.passwordCost ?? leastCost,
  })
  const running: RunningService = await startService(service, { host: '127.0.0.1', port: 0 })
  const api: ApiClient = apiClient(running.url, identity)
  const tables = openPostgres({ url: database.url, schema: 'auth', log })
  return {
    ...{ url: running.url, api, service, stores, bus, signal, billing },
    /** Rows as they are stored, or an act of time. */
    async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await tables.pool.query(text, values)).rows as Row[]
    },
    /** Runs a statement and keeps its locks until the returned function undoes it. */
    async hold(text: string): Promise<() => Promise<void>> {
      const connection = await tables.pool.connect()
      await connection.query('begin')
      await connection.query(text)
      return async () => {
        await connection.query('rollback')
        connection.release()
      }
    },
    /** Everything published so far and from now on. */
    async listen(): Promise<Event[]> {
      const heard: Event[] = []
      const hear = async (event: Event): Promise<void> => void heard.push(event)
      await bus.subscribe({
        group: `test.${newId()}`,
        handlers: {
          'auth.user-registered': hear,
          'auth.verification-requested': hear,
          'auth.email-changed': hear,
          'auth.password-changed': hear,
          'auth.identity-linked': hear,
          'auth.password-reset-requested': hear,
          'auth.data-export-requested': hear,
          'auth.data-export-ready': hear,
          'auth.user-banned': hear,
          'auth.user-deleted': hear,
          'auth.user-erased': hear,
          'auth.user-unbanned': hear,
        },
      })
      return heard
    },
    /** As happens every minute. */
    reconcileExports: () => reconcileExports({ stores, newId, now: systemClock }),
    async stop(): Promise<void> {
      await api.close()
      await running.stop(500)
      await Promise.all([client.close(), bus.close(), billing.close(), tables.close(), ownHub?.close()])
      await stores.close()
    },
  }
}

/** One service over a database of its own, for a test file. */
export async function startAuthAlone(options: Omit<AuthOptions, 'database'> = {}) {
  const database = await testDatabase()
  const auth = await startAuth({ ...options, database })
  return {
    ...auth,
    database,
    async stop(): Promise<void> {
      await auth.stop()
      await database.drop()
    },
  }
}
