import { type EventBus, type EventHandlers, openPgBus, runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { openMemoryHub } from '@parley/cache'
import { consumerGroups, type Event, type EventOf, type EventType } from '@parley/contracts'
import { createLogger, newId } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing'
import { engineUrl, onEngine, testTopicPrefix } from '@parley/testing/test-engines'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composeParley } from '../src/compose.ts'
import { openRuntime } from '../src/runtime.ts'
import { openSubscriptions } from '../src/subscriptions.ts'
import { testConfig } from '../test/given.ts'

const log = createLogger('test', 'silent')
const config = testConfig()

const userId = 'nobody'
const acted = { actorId: 'admin', action: 'test', target: null, before: null, after: null, requestId: 'request' }
/** One event of each type, about users who do not exist. */
const samples: { readonly [T in EventType]: EventOf<T>['data'] } = {
  'auth.user-registered': { userId },
  'auth.verification-requested': { userId, verificationId: 'v' },
  'auth.email-changed': { userId, emailChangeId: 'c' },
  'auth.password-reset-requested': { resetId: 'r' },
  'auth.password-changed': { userId },
  'auth.identity-linked': { userId },
  'auth.user-deleted': { userId: 'deleted', erasureId: 'e' },
  'auth.user-erased': { erasureId: 'e' },
  'auth.data-export-requested': { userId, exportId: 'x' },
  'auth.data-export-ready': { userId, exportId: 'x' },
  'auth.user-banned': { userId },
  'auth.user-unbanned': { userId },
  'billing.admin-acted': acted,
  'billing.credit-warning-reached': {
    ...{ userId, usagePercentage: 80, threshold: 80 },
    resetDate: '2026-01-01T00:00:00.000Z',
  },
  'llm-router.admin-acted': acted,
  'llm-router.request-finished': {
    ...{ generationId: 'r', keyId: 'k', userId, model: 'm', outcome: 'complete', charge: 1, responseMs: 1 },
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  },
  'llm-router.provider-used': { date: '2026-01-01', calls: 1, inputTokens: 1, outputTokens: 1, cost: 1 },
  'notifier.mail-settled': { kind: 'verification', subjectId: 'v', outcome: 'sent', reason: null },
  'chat.generation-finished': {
    ...{ generationId: 'g', chatId: 'c', userId, model: 'm', outcome: 'complete', charge: 1 },
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  },
}

/** An empty bus on each engine. */
const buses: Readonly<Record<string, (database: TestDatabase) => Promise<EventBus>>> = {
  PostgreSQL: ({ url }) => openPgBus({ url, log, retryDelaysMs: [] }),
  Kafka: () =>
    openKafkaBus({
      ...{ brokers: engineUrl('kafka')?.split(',') ?? [], topicPrefix: testTopicPrefix(), clientId: 'test' },
      ...{ partitions: 1, log, retryDelaysMs: [] },
    }),
}

onEngine('kafka', () =>
  describe.each(Object.entries(buses))('dead letters on %s', (_engine, openBus) => {
    let database: TestDatabase
    let busDatabase: TestDatabase
    let groups: string[]
    const hub = openMemoryHub({ log })
    beforeAll(async () => {
      database = await testDatabase()
      const engines = { postgresUrl: database.url, hub }
      const parley = await composeParley({ config, engines, log })
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query('select distinct consumer_group from bus.offsets')
      groups = rows.map(({ consumer_group }) => consumer_group as string).toSorted()
      await client.end()
      await parley.stop()
    })
    afterAll(async () => {
      await hub.close()
      await database.drop()
    })
    beforeEach(async () => {
      busDatabase = await testDatabase()
    })
    afterEach(() => busDatabase.drop())

    it('of every subscription of every service are listed and replayed by the command', async () => {
      const bus = await openBus(busDatabase)
      const runtime = openRuntime({ engines: { postgresUrl: database.url, hub }, config, log })
      const subscriptions = await openSubscriptions(runtime)
      expect(subscriptions.map(({ group }) => group).toSorted()).toEqual(groups)
      expect(groups).toEqual(consumerGroups.toSorted())
      const command = (...args: string[]) => runDeadLetterCommand({ bus, subscriptions, log }, args)
      const wanted = subscriptions.map(({ group, handlers }) => ({ group, types: typesOf(handlers) }))

      const poison = (types: readonly EventType[]): EventHandlers =>
        Object.fromEntries(types.map((type) => [type, () => Promise.reject(new Error('poison'))]))
      const ends = await Promise.all(
        wanted.map(({ group, types }) => bus.subscribe({ group, handlers: poison(types) })),
      )
      const events = [...new Set(wanted.flatMap(({ types }) => types))].map(sample)
      await expect.poll(() => bus.publish(events).then(() => true, String)).toBe(true)
      const headlines = (count: (types: readonly EventType[]) => number) =>
        wanted.map(({ group, types }) => `${group}: ${count(types)}`)
      const listed = async () => (await command('list')).filter((line) => !line.startsWith(' '))
      await expect.poll(listed, { interval: 500 }).toEqual(headlines(({ length }) => length))
      await Promise.all(ends.map((end) => end()))

      const handled = wanted.map(({ group, types }) => `${group}: ${types.length} handled`)
      expect(await command('replay', groups[0] as string)).toEqual([expect.stringMatching(/: [1-9]\d* handled$/)])
      expect(await command('replay')).toEqual(
        handled.map((line) => (line.startsWith(`${groups[0]}: `) ? `${groups[0]}: 0 handled` : line)),
      )
      expect(await command('list')).toEqual(headlines(() => 0))
      await expect(command('replay', 'nobody.there')).rejects.toThrow('Usage: dead-letters')
      await runtime.close()
      await bus.close()
    })
  }),
)

const typesOf = (handlers: EventHandlers): EventType[] => Object.keys(handlers) as EventType[]

const sample = (type: EventType): Event =>
  ({ type, id: newId(), at: new Date().toISOString(), v: 1, key: userId, data: samples[type] }) as Event
