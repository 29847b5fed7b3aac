import { openPgBus } from '@parley/bus'
import { type Counter, openMemoryHub } from '@parley/cache'
import type { EventOf, EventType, Principal, SignalPayload } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { createMetrics, newId, type ServiceClient, startService, systemClock } from '@parley/kit'
import {
  type ApiCaller,
  apiClient,
  type FakeErasures,
  servicePrincipal,
  startFakeErasures,
  testDatabase,
  testEvent,
  testIdentity,
  testLog,
  userPrincipal,
} from '@parley/testing'
import { sql } from 'kysely'
import type { SweepTimes } from '../src/hold-sweeper.ts'
import { createBillingService } from '../src/service.ts'
import { openBillingStores } from '../src/store/index.ts'

/** Two replicas of billing on one database, each on its own port, as called by other services and the gateway. */
export interface RunningBilling {
  as(principal: Principal): ApiCaller
  /** A caller of the other replica. */
  replica(principal: Principal): ApiCaller
  /** Calls as chat, which holds and settles. */
  readonly chat: ApiCaller
  /** Publish events of other services. */
  registered(userId: string): Promise<void>
  finished(data: Finished, eventId?: string): Promise<void>
  requestFinished(data: RequestFinished, eventId?: string): Promise<void>
  providerUsed(data: DataOf<'llm-router.provider-used'>): Promise<void>
  /** Publishes the deletion of this user's account. */
  deleted(userId: string, erasureId: string): Promise<void>
  /** Publishes the request for a copy of this user's data. */
  exportRequested(userId: string, exportId: string): Promise<void>
  /** Signalled changes of keys, in order. */
  readonly keyChanges: readonly SignalPayload<'key-changed'>[]
  /** Users whose credits were signalled as changed, in order. */
  readonly creditChanges: readonly string[]
  /** llm-router's counters of requests by key. */
  readonly counters: { areAway: boolean; readonly ofRouter: Counter }
  /** Admin acts from now on, as published for the audit log. */
  acts(): Promise<DataOf<'billing.admin-acted'>[]>
  /** The acknowledgements that auth received. */
  readonly erasures: FakeErasures
  /** Creates a user's account. */
  ensure(userId: string): Promise<boolean>
  /** Queries the database. */
  query(text: string): Promise<unknown[]>
  /** The result of an act while another transaction locks a user's account. */
  whileLocked<T>(userId: string, act: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

type DataOf<T extends EventType> = EventOf<T>['data']
/** The end of a generation; defaults are those of a complete answer of v3. */
type Finished = Partial<DataOf<'chat.generation-finished'>> &
  Pick<DataOf<'chat.generation-finished'>, 'generationId' | 'userId' | 'charge'>
type RequestFinished = Partial<DataOf<'llm-router.request-finished'>> &
  Pick<DataOf<'llm-router.request-finished'>, 'generationId' | 'userId' | 'keyId' | 'charge'>

const oneToken = { inputTokens: 1, outputTokens: 1, estimated: false }
const log = testLog
const quickSweeps: SweepTimes = { firstMs: 20, everyMs: 20 }

/** @param options lifetime of a hold, long by default; a client that reaches another auth */
export async function givenBilling(
  options: { holdSeconds?: number; client?: ServiceClient } = {},
): Promise<RunningBilling> {
  const { holdSeconds = 600 } = options
  const database = await testDatabase()
  const identity = testIdentity()
  const bus = await openPgBus({ url: database.url, log })
  const erasures = await startFakeErasures('billing', identity)
  const hub = openMemoryHub({ log })
  const counters = { areAway: false, ofRouter: hub.open('llm-router').counter }
  const keyChanges: SignalPayload<'key-changed'>[] = []
  hub.open('gateway').signal.subscribe('key-changed', (change) => keyChanges.push(change))
  const creditChanges: string[] = []
  hub.open('realtime').signal.subscribe('credits-changed', ({ userIds }) => creditChanges.push(...userIds))
  const startReplica = async () => {
    const stores = openBillingStores({ url: database.url, log }, holdSeconds)
    const metrics = createMetrics('billing', false)
    const service = createBillingService({
      stores,
      bus,
      signal: hub.open('billing').signal,
      keyWindows: {
        async look(windows) {
          if (counters.areAway) throw new Error('The engine is away')
          return await hub.open('billing').counterOf('llm-router').look(windows)
        },
      },
      client: options.client ?? erasures.client,
      identity,
      metrics,
      log,
      newId,
      now: systemClock,
      sweep: quickSweeps,
      moneyCheckMs: 50,
      planMoveMs: 50,
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
  let endActs: (() => Promise<void>) | undefined
  const [first, second] = await Promise.all([startReplica(), startReplica()])
  return {
    as: (principal) => first.client.as(principal),
    replica: (principal) => second.client.as(principal),
    chat: first.client.as(servicePrincipal('chat')),
    registered: (userId) => bus.publish([testEvent('auth.user-registered', userId, { userId })]),
    finished: (data, id = newId()) =>
      bus.publish([
        testEvent(
          'chat.generation-finished',
          data.generationId,
          { chatId: null, model: 'v3', outcome: 'complete', usage: oneToken, ...data },
          id,
        ),
      ]),
    requestFinished: (data, id = newId()) =>
      bus.publish([
        testEvent(
          'llm-router.request-finished',
          data.generationId,
          { model: 'v3', outcome: 'complete', usage: oneToken, responseMs: 100, ...data },
          id,
        ),
      ]),
    providerUsed: (data) => bus.publish([testEvent('llm-router.provider-used', data.date, data)]),
    deleted: (userId, erasureId) => bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })]),
    exportRequested: (userId, exportId) =>
      bus.publish([testEvent('auth.data-export-requested', userId, { userId, exportId })]),
    keyChanges,
    creditChanges,
    counters,
    async acts() {
      const acts: DataOf<'billing.admin-acted'>[] = []
      const hear = async ({ data }: EventOf<'billing.admin-acted'>): Promise<void> => void acts.push(data)
      // A group has one consumer at a time.
      await endActs?.()
      endActs = await bus.subscribe({ group: 'auth.audit', handlers: { 'billing.admin-acted': hear } })
      return acts
    },
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
      await Promise.all([bus.close(), erasures.close(), hub.close()])
      await database.drop()
    },
  }
}

/** A user with an account in billing, and access to their credits. */
export async function givenUser(billing: RunningBilling) {
  const principal = userPrincipal()
  const credits = async () => (await billing.as(principal).get('/api/user/credits')).body as Record<string, unknown>
  await billing.ensure(principal.userId)
  return { principal, userId: principal.userId, credits }
}
