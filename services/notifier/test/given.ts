import { type EventBus, eventOf, openPgBus } from '@parley/bus'
import type { EventOf, EventType, Locale } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { createMetrics, createServiceClient, newId, type RunningService, startService, systemClock } from '@parley/kit'
import { testIdentity, testLog } from '@parley/testing'
import { testDatabase } from '@parley/testing/postgres'
import { type DeliveryPace, usualPace } from '../src/deliverer.ts'
import { createNotifierService } from '../src/service.ts'
import { type NotifierStores, openNotifierStores } from '../src/store/index.ts'
import { type FakeAuth, startFakeAuth } from './fake-auth.ts'
import { type FakeSmtp, type SmtpManners, startSmtp } from './fake-smtp.ts'

const log = testLog
const identity = testIdentity()
export const quick: DeliveryPace = { ...usualPace, lookMs: 20, firstRetryMs: 20, mostRetryMs: 50 }

type SettledEvent = EventOf<'notifier.mail-settled'>
export interface GivenNotifier {
  readonly auth: FakeAuth
  readonly bus: EventBus
  /** The current SMTP server. */
  smtp(): FakeSmtp
  /** Replaces the server at the same address; undefined for none. */
  replaceSmtp(manners: SmtpManners | undefined): Promise<void>
  /** Starts a replica. */
  start(pace?: DeliveryPace): Promise<RunningService>
  /** Stores over the same database. */
  stores(): NotifierStores
  /** Publishes an event that causes a mail; `subject` is the id by which auth knows the recipient. */
  happened<T extends EventType>(
    type: T,
    subject: string,
    data: EventOf<T>['data'],
    person?: Partial<Person>,
  ): Promise<EventOf<T>>
  /** Publishes that a user must confirm an address. */
  verificationRequested(person?: Partial<Person>): Promise<EventOf<'auth.verification-requested'>>
  /** The row of an event's mail. */
  delivery(eventId: string): Promise<Record<string, unknown> | undefined>
  stateOf(eventId: string): Promise<unknown>
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** The `notifier.mail-settled` events so far. */
  readonly settled: SettledEvent['data'][]
  stop(): Promise<void>
}
interface Person {
  readonly to: string
  readonly username: string
  readonly locale: Locale
}

/** A bus, an auth and an SMTP server for replicas of notifier over one database. */
export async function givenNotifier(manners: SmtpManners = {}): Promise<GivenNotifier> {
  const database = await testDatabase()
  const auth = await startFakeAuth()
  let smtp = await startSmtp(manners)
  const { port } = smtp
  const bus = await openPgBus({ url: database.url, log })
  const client = createServiceClient({ self: 'notifier', locate: () => auth.url, identity })
  const tables = openPostgres({ url: database.url, schema: 'notifier', log })
  const replicas: { running: RunningService; close: () => Promise<void> }[] = []
  const settled: SettledEvent['data'][] = []
  const unsubscribe = await bus.subscribe({
    group: 'test.settled',
    handlers: {
      'notifier.mail-settled': async ({ data }) => {
        settled.push(data)
      },
    },
  })
  const query = async (text: string, values: unknown[] = []) =>
    (await tables.pool.query(text, values)).rows as Record<string, unknown>[]
  const given: GivenNotifier = {
    auth,
    bus,
    settled,
    query,
    smtp: () => smtp,
    async replaceSmtp(next) {
      await smtp.close()
      if (next !== undefined) smtp = await startSmtp({ ...next, port })
    },
    stores: () => openNotifierStores({ url: database.url, log }),
    async start(pace = quick) {
      const stores = given.stores()
      const config = {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        MAIL_FROM: 'Parley <parley@example.test>',
        PUBLIC_URL: 'https://chat.example.test',
      }
      const metrics = createMetrics('notifier', false)
      const engines = { config, stores, bus, client, identity, metrics }
      const service = createNotifierService({ ...engines, log, now: systemClock, pace })
      const running = await startService(service, { host: '127.0.0.1', port: 0 })
      replicas.push({ running, close: stores.close })
      return running
    },
    async happened(type, subject, data, person = {}) {
      auth.users.set(subject, { to: 'ann@example.test', username: 'ann', locale: 'en', ...person })
      const event = eventOf(type, subject, data, { id: newId(), at: new Date('2030-01-15T12:00:00.000Z') })
      await bus.publish([event])
      return event
    },
    async verificationRequested(person) {
      const data = { userId: newId(), verificationId: newId() }
      return await given.happened('auth.verification-requested', data.verificationId, data, person)
    },
    delivery: async (eventId) => (await query('select * from deliveries where event_id = $1', [eventId]))[0],
    stateOf: async (eventId) => (await given.delivery(eventId))?.state,
    async stop() {
      await unsubscribe()
      for (const { running, close } of replicas) {
        await running.stop(500)
        await close()
      }
      await Promise.all([bus.close(), client.close(), tables.close(), auth.close(), smtp.close()])
      await database.drop()
    },
  }
  return given
}
