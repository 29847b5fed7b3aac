import { eventOf, openPgBus } from '@parley/bus'
import type { Principal } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { createIdentityCodec, createMetrics, newId, type ServiceClient, startService, systemClock } from '@parley/kit'
import {
  type ApiCaller,
  apiClient,
  type FakeErasures,
  servicePrincipal,
  startFakeErasures,
  testDatabase,
  testLog,
  userPrincipal,
} from '@parley/testing'
import { sql } from 'kysely'
import type { SweepTimes } from '../src/hold-sweeper.ts'
import { createBillingService } from '../src/service.ts'
import { openBillingStores } from '../src/store/index.ts'

/** Two replicas of billing over one database, each on its own port, as other services and the gateway reach them. */
export interface RunningBilling {
  as(principal: Principal): ApiCaller
  /** The other replica. */
  replica(principal: Principal): ApiCaller
  /** As chat, which holds and settles. */
  readonly chat: ApiCaller
  /** Publishes as their owners do. */
  registered(userId: string): Promise<void>
  finished(data: { generationId: string; userId: string | null; charge: number }, eventId?: string): Promise<void>
  /** The account of this user was deleted. */
  deleted(userId: string, erasureId: string): Promise<void>
  /** A copy of this user's data was asked for. */
  exportRequested(userId: string, exportId: string): Promise<void>
  /** What auth was told. */
  readonly erasures: FakeErasures
  /** Makes the account of a user. */
  ensure(userId: string): Promise<boolean>
  /** Rows of the database. */
  query(text: string): Promise<unknown[]>
  /** What comes of an act while another transaction holds the lock of a user's account. */
  whileLocked<T>(userId: string, act: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const log = testLog
const quickSweeps: SweepTimes = { firstMs: 20, everyMs: 20 }

/** @param options lifetime of a hold, long unless told; a client that finds another auth */
export async function givenBilling(
  options: { holdSeconds?: number; client?: ServiceClient } = {},
): Promise<RunningBilling> {
  const { holdSeconds = 600 } = options
  const database = await testDatabase()
  const identity = createIdentityCodec('test-secret-test-secret-test-secret')
  const bus = await openPgBus({ url: database.url, log })
  const erasures = await startFakeErasures('billing', identity)
  const startReplica = async () => {
    const stores = openBillingStores({ url: database.url, log, holdSeconds })
    const metrics = createMetrics('billing', false)
    const service = createBillingService({
      stores,
      bus,
      client: options.client ?? erasures.client,
      identity,
      metrics,
      log,
      newId,
      now: systemClock,
      sweep: quickSweeps,
      holdRetentionDays: 90,
    })
    const running = await startService(service, { host: '127.0.0.1', port: 0 })
    const client = apiClient(running.url, identity)
    const stop = async () => {
      await client.close()
      await running.stop(100)
      await stores.close()
    }
    return { client, stores, stop }
  }
  const tables = openPostgres({ url: database.url, schema: 'billing', log })
  const [first, second] = await Promise.all([startReplica(), startReplica()])
  return {
    as: (principal) => first.client.as(principal),
    replica: (principal) => second.client.as(principal),
    chat: first.client.as(servicePrincipal('chat')),
    registered: (userId) =>
      bus.publish([eventOf('auth.user-registered', userId, { userId }, { id: newId(), at: new Date() })]),
    finished: (data, id = newId()) =>
      bus.publish([
        eventOf(
          'chat.generation-finished',
          data.generationId,
          {
            ...data,
            chatId: null,
            model: 'v3',
            outcome: 'complete',
            usage: { inputTokens: 1, outputTokens: 1, estimated: false },
          },
          { id, at: new Date() },
        ),
      ]),
    deleted: (userId, erasureId) =>
      bus.publish([eventOf('auth.user-deleted', userId, { userId, erasureId }, { id: newId(), at: new Date() })]),
    exportRequested: (userId, exportId) =>
      bus.publish([
        eventOf('auth.data-export-requested', userId, { userId, exportId }, { id: newId(), at: new Date() }),
      ]),
    erasures,
    ensure: (userId) => first.stores.accounts.ensure(userId),
    query: async (text) => (await tables.pool.query(text)).rows,
    whileLocked: (userId, act) =>
      tables.db.transaction().execute(async (tx) => {
        await sql`select from accounts where user_id = ${userId} for update`.execute(tx)
        return await act()
      }),
    async stop() {
      await tables.close()
      await Promise.all([first.stop(), second.stop()])
      await Promise.all([bus.close(), erasures.close()])
      await database.drop()
    },
  }
}

/** A user whose account billing has made, and how to read their credits. */
export async function givenUser(billing: RunningBilling) {
  const principal = userPrincipal()
  const credits = async () => (await billing.as(principal).get('/api/user/credits')).body as Record<string, unknown>
  await billing.ensure(principal.userId)
  return { principal, userId: principal.userId, credits }
}
