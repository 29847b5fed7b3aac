import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventBus } from '@parley/bus'
import { banned, recorder } from '@parley/bus/contract'
import { prepareBrokers } from '@parley/bus/kafka-rights'
import { type NativeEngine, startNativeKafka } from '@parley/engines'
import { createLogger, freePort } from '@parley/kit'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { onEngine } from '../src/engines/test-engines.ts'
import { kafkaAddress, openKafkaReplica } from './kafka-engine.ts'

/** Polling options for a busy machine. */
const eventually = { timeout: 60_000, interval: 20 }
const log = createLogger('kafka-rights', 'silent')
const shape = { partitions: 3, replication: 1 }

onEngine('kafka', () => {
  let folder: string
  let broker: NativeEngine
  let services: string
  const buses: EventBus[] = []
  const saslOf = (username: string) => ({ username, password: `${username}-password` })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-kafka-'))
    services = `127.0.0.1:${await freePort()}`
    const passwords = Object.fromEntries(
      ['admin', 'auth', 'billing', 'chat'].map((name) => [name, saslOf(name).password]),
    )
    broker = await startNativeKafka({ folder, users: { listen: services, passwords, administrator: 'admin' } })
    const prepare = () =>
      prepareBrokers({
        brokers: [services],
        sasl: saslOf('admin'),
        clientId: 'test',
        topicPrefix: 'parley',
        log,
        ...shape,
      })
    await prepare()
    // Twice, as on every start of a deployment.
    await prepare()
  })
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
  })
  afterAll(async () => {
    await broker?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function busOf(service: string, password = saslOf(service).password): Promise<EventBus> {
    const bus = await openKafkaReplica(kafkaAddress(services, 'parley'), { sasl: { username: service, password } })
    buses.push(bus)
    return bus
  }

  test('a service receives, with its own rights, an event published by another with its own', async () => {
    const { handlers, labels } = recorder()
    await (await busOf('auth')).publish([banned('1')])
    await (await busOf('chat')).subscribe({ group: 'chat.bans', handlers })
    await expect.poll(labels, eventually).toEqual(['1'])
  })

  test('a service writes, lists and replays its own dead letters, and reads the lag of its own groups', async () => {
    const group = 'chat.bans'
    const [auth, chat] = [await busOf('auth'), await busOf('chat')]
    const end = await chat.subscribe({
      group,
      handlers: { 'auth.user-banned': () => Promise.reject(new Error('never')) },
    })
    await auth.publish([banned('2')])
    await expect
      .poll(async () => (await chat.deadLetters(group)).map(({ error }) => error), eventually)
      .toEqual(['Error: never'])
    expect(Object.keys(await chat.lag([group]))).toEqual([group])
    await end()
    const { handlers, labels } = recorder()
    expect(await chat.replayDeadLetters({ group, handlers })).toBe(1)
    expect([labels(), await chat.deadLetters(group)]).toEqual([['2'], []])
  })

  test('a service cannot publish an event of another one', async () => {
    await expect((await busOf('billing')).publish([banned('forged')])).rejects.toThrow(/authori[sz]/i)
  })

  test('a service sees only the topics and groups that it needs, and cannot create any', async () => {
    const kafka = new Kafka({
      brokers: [services],
      logLevel: logLevel.NOTHING,
      sasl: { mechanism: 'plain', ...saslOf('chat') },
      retry: { retries: 0 },
    })
    const admin = kafka.admin()
    await admin.connect()
    try {
      expect((await admin.listTopics()).toSorted()).toEqual([
        'parley.auth',
        'parley.chat',
        ...['chat.bans', 'chat.data-exports', 'chat.erasures'].map((group) => `parley.dead-letters.${group}`),
      ])
      expect((await admin.listGroups()).groups.map(({ groupId }) => groupId)).toEqual(
        expect.not.arrayContaining([expect.not.stringMatching(/^parley[.:](\w+:)?chat\./)]),
      )
      await expect(admin.createTopics({ topics: [{ topic: 'parley.mine' }] })).rejects.toThrow()
    } finally {
      await admin.disconnect()
    }
  })

  test.each([
    ['a wrong password', 'chat', 'wrong'],
    ['an unknown user', 'stranger', 'stranger-password'],
  ])('%s is refused', async (_what, name, password) => {
    await expect((await busOf(name, password)).health()).rejects.toThrow(/authentication/i)
  })
})
