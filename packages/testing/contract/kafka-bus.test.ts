import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { EventBus, EventHandlers } from '@parley/bus'
import { banned, caughtUp, eventually, labelsOf, recorder } from '@parley/bus/contract'
import { maxEventBytes } from '@parley/contracts'
import { ConfigResourceTypes } from 'kafkajs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engineUrl, onEngine, testTopicPrefix } from '../src/engines/test-engines.ts'
import {
  appendRecords,
  kafkaAddress,
  openKafkaReplica,
  readRecords,
  removeTopics,
  shortestSessionMs,
  withAdmin,
} from './kafka-engine.ts'

const brokers = engineUrl('kafka') ?? ''

onEngine('kafka', () => {
  let prefix: string
  let buses: EventBus[]
  const open = async (more?: Parameters<typeof openKafkaReplica>[1]): Promise<EventBus> => {
    const bus = await openKafkaReplica(kafkaAddress(brokers, prefix), more)
    buses.push(bus)
    return bus
  }
  beforeEach(() => {
    prefix = testTopicPrefix()
    buses = []
  })
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    await removeTopics(brokers, prefix)
  })

  test('a record of another producer that is not an event becomes a dead letter, and consuming continues', async () => {
    const group = 'test.foreign'
    const [bus, { handlers, labels }] = [await open(), recorder()]
    const tooLarge = banned('x'.repeat(maxEventBytes))
    const otherVersion = { ...banned('newer'), v: 2 }
    await appendRecords(brokers, `${prefix}.auth`, [
      { value: JSON.stringify(tooLarge) },
      { value: JSON.stringify(otherVersion) },
      { value: Buffer.from([0xff, 0x00, 0x7b]) },
      { value: '{"type":"auth.user-banned"' },
      { value: null },
      { value: '42' },
      { value: JSON.stringify({ ...banned('from the future'), type: 'auth.user-eaten' }) },
    ])
    await bus.publish([banned('good')])
    await bus.subscribe({ group, handlers })
    await caughtUp(bus, group)
    const letters = await bus.deadLetters(group)
    expect(letters.map(({ error }) => error.slice(0, 18)).toSorted()).toEqual([
      'Does not fit its s',
      'Is not JSON',
      'Is not JSON',
      'Is not JSON',
      'Is over 65536 byte',
    ])
    const events = letters.map(({ event }) => event)
    expect(events).toContainEqual(otherVersion)
    expect(events).toContainEqual({ id: tooLarge.id, type: tooLarge.type })
    expect(events).toContainEqual({ id: expect.stringContaining(`${prefix}.auth/`), type: 'unknown' })
    expect(await bus.replayDeadLetters({ group, handlers })).toBe(0)
    expect(await bus.deadLetters(group)).toHaveLength(5)
    expect(new Set(labels())).toEqual(new Set(['good']))
  })

  test('a record has the key, the trace and the type of its event', async () => {
    const bus = await open()
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const [traced, plain] = [{ ...banned('traced', 'user-1'), trace }, banned('plain', 'user-2')]
    await bus.publish([traced, plain])
    const records = await readRecords(brokers, `${prefix}.auth`, 2)
    const found = records.map(({ key, value, headers = {} }) => ({
      key: String(key),
      event: JSON.parse(String(value)),
      headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)])),
    }))
    const common = { 'event-type': 'auth.user-banned', 'content-type': 'application/json' }
    expect(found).toContainEqual({
      key: 'user-1',
      event: traced,
      headers: { ...common, 'event-id': traced.id, traceparent: trace },
    })
    expect(found).toContainEqual({ key: 'user-2', event: plain, headers: { ...common, 'event-id': plain.id } })
  })

  test('a replay ends when its letters are dropped meanwhile, and the next one replays what came since', async () => {
    const group = 'test.dropped'
    const bus = await open({ retryDelaysMs: [] })
    const handled: string[] = []
    const fail = async (): Promise<void> => {
      throw new Error('not yet')
    }
    let handle = fail
    const handlers: EventHandlers = {
      'auth.user-banned': async ({ data }) => {
        await handle()
        handled.push(data.userId.slice(0, 3))
      },
    }
    const give = async (...labels: readonly string[]): Promise<void> => {
      await bus.publish(labels.map((label) => banned(label.padEnd(maxEventBytes - 1_000, '.'))))
      await caughtUp(bus, group)
    }
    await bus.subscribe({ group, handlers })
    // More than a broker gives at once.
    await give(...Array.from({ length: 40 }, (_none, nth) => `a${nth}`.padEnd(3)))
    handle = async () => void (await bus.dropDeadLetters(group))
    expect(await bus.replayDeadLetters({ group, handlers })).toBeGreaterThan(0)
    expect(handled.length).toBeLessThan(40)
    handle = fail
    await give('b00')
    handle = async () => undefined
    expect(await bus.replayDeadLetters({ group, handlers })).toBe(1)
    expect(handled.at(-1)).toBe('b00')
  })

  test('topics are created with the requested partitions, kept for seven days by the clock of the broker, dead letters forever', async () => {
    const bus = await open({ partitions: 5 })
    const { handlers, labels } = recorder()
    await bus.publish([banned('1')])
    await bus.subscribe({ group: 'test.topics', handlers })
    await expect.poll(labels, eventually).toEqual(['1'])
    await withAdmin(brokers, async (admin) => {
      const names = [`${prefix}.auth`, `${prefix}.dead-letters.test.topics`]
      const settings = ['retention.ms', 'message.timestamp.type', 'min.insync.replicas']
      const { topics } = await admin.fetchTopicMetadata({ topics: names })
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configNames: settings })),
      })
      const values = new Map(
        resources.map(({ resourceName, configEntries }) => [
          resourceName,
          settings.map((setting) => configEntries.find(({ configName }) => configName === setting)?.configValue),
        ]),
      )
      const found = topics.map(({ name, partitions }) => [name, partitions.length, ...(values.get(name) ?? [])])
      expect(found.toSorted()).toEqual([
        [names[0], 5, '604800000', 'LogAppendTime', '1'],
        [names[1], 1, '-1', 'CreateTime', '1'],
      ])
    })
  })

  test('replicas that join and leave under load lose nothing, repeat nothing and keep the order per key', async () => {
    const { handlers, labels, reaches } = recorder()
    const group = 'test.rolling'
    const publisher = await open()
    const sent = Array.from({ length: 1_500 }, (_value, index) => banned(String(index), `key-${index % 20}`))
    const publishing = (async () => {
      for (let start = 0; start < sent.length; start += 15) await publisher.publish(sent.slice(start, start + 15))
    })()
    for (let round = 0; round < 4; round += 1) {
      const [first, second] = [await open(), await open()]
      await first.subscribe({ group, handlers })
      await second.subscribe({ group, handlers })
      const before = labels().length
      await expect.poll(() => labels().length > before || labels().length === sent.length, eventually).toBe(true)
      await first.close()
    }
    await publishing
    await reaches(sent.length)
    await caughtUp(publisher, group)
    for (let key = 0; key < 20; key += 1) {
      const ofKey = (label: string): boolean => Number(label) % 20 === key
      expect(labels().filter(ofKey)).toEqual(labelsOf(sent).filter(ofKey))
    }
  })

  test('a handler retried for longer than a session keeps its partitions', async () => {
    const sessionMs = Math.max(10_000, await shortestSessionMs(brokers))
    const bus = await open({ sessionMs, retryDelaysMs: [1.5 * sessionMs] })
    let calls = 0
    const { handlers, labels } = recorder(async ({ data }) => {
      if (data.userId !== 'poison') return
      calls += 1
      throw new Error('cannot digest')
    })
    await bus.publish([banned('poison'), banned('next')])
    await bus.subscribe({ group: 'test.patient', handlers })
    await expect.poll(labels, eventually).toEqual(['next'])
    await caughtUp(bus, 'test.patient')
    expect(calls).toBe(2)
    expect(await bus.deadLetters('test.patient')).toHaveLength(1)
  })

  test('a process that has used the bus exits by itself and prints nothing', async () => {
    const script = fileURLToPath(new URL('./kafka-visit.ts', import.meta.url))
    const child = fork(script, [kafkaAddress(brokers, prefix)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const [printed, warned, [code]] = await Promise.all([
      child.stdout === null ? '' : text(child.stdout),
      child.stderr === null ? '' : text(child.stderr),
      once(child, 'exit'),
    ])
    expect({ printed, warned, code }).toEqual({ printed: '', warned: '', code: 0 })
  })
})
