import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type EventBus, type OutboxSource, startRelay } from '@parley/bus'
import { banned, caughtUp, labelsOf, recorder } from '@parley/bus/contract'
import type { Event } from '@parley/contracts'
import { type NativeEngine, startNativeKafka } from '@parley/engines'
import { createLogger, freePort, type Logger } from '@parley/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testTopicPrefix } from '../src/engines/test-engines.ts'
import { kafkaAddress, openKafkaReplica } from './kafka-engine.ts'

/** Polling options for a broker that starts on a busy machine. */
const eventually = { timeout: 60_000, interval: 20 }
const testMs = 300_000

let folder: string
let address: string
let running: Promise<NativeEngine> | undefined
/** The broker, started on first use. */
const broker = (): Promise<NativeEngine> => {
  running ??= startNativeKafka({ folder, port: Number(address.split(':')[1]) })
  return running
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kafka-'))
  address = `127.0.0.1:${await freePort()}`
})
afterAll(async () => {
  await (await running)?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A logger that records its lines. */
function rememberingLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)).msg)
      done()
    },
  })
  return { log: createLogger('kafka-outage', 'info', destination), lines }
}

const openBus = (log: Logger, prefix: string): Promise<EventBus> =>
  openKafkaReplica(kafkaAddress(address, prefix), { log })

/** An in-memory outbox. */
function createOutbox() {
  const events: Event[] = []
  const source: OutboxSource = {
    pending: async (limit) => events.slice(0, limit),
    async published(ids) {
      const gone = new Set(ids)
      events.splice(0, events.length, ...events.filter(({ id }) => !gone.has(id)))
    },
    async exclusively(work) {
      await work()
      return true
    },
  }
  return { source, write: (event: Event) => void events.push(event), left: () => events.length }
}

/** Writes events to an outbox, and consumes them through relay, bus and inbox. */
async function givenTraffic(log: Logger, keys: number) {
  const bus = await openBus(log, testTopicPrefix())
  const outbox = createOutbox()
  const relay = startRelay({ source: outbox.source, bus, log })
  const group = 'test.traffic'
  const { handlers, labels } = recorder()
  await bus.subscribe({ group, handlers })
  const sent: ReturnType<typeof banned>[] = []
  return {
    write(count: number): void {
      for (let index = 0; index < count; index += 1) {
        const event = banned(String(sent.length), `key-${sent.length % keys}`)
        sent.push(event)
        outbox.write(event)
      }
    },
    /** Events received, without duplicates. */
    effects: () => [...new Set(labels())],
    left: outbox.left,
    async drained(): Promise<void> {
      await expect.poll(outbox.left, eventually).toBe(0)
      await expect.poll(() => new Set(labels()).size, eventually).toBe(sent.length)
    },
    expectOrder(): void {
      const effects = [...new Set(labels())]
      for (let key = 0; key < keys; key += 1) {
        const ofKey = (label: string): boolean => Number(label) % keys === key
        expect(effects.filter(ofKey)).toEqual(labelsOf(sent).filter(ofKey))
      }
    },
    async close(): Promise<void> {
      await relay.stop()
      await bus.close()
    },
  }
}

test(
  'services may start before the broker: opening and subscribing wait for it, publishing rejects as unavailable',
  async () => {
    // A broker runs already only if this test is retried.
    if (running !== undefined) await (await running).kill('SIGTERM')
    const { log, lines } = rememberingLog()
    const prefix = testTopicPrefix()
    const [bus, idle] = [await openBus(log, prefix), await openBus(log, prefix)]
    const { handlers, labels } = recorder()
    await bus.subscribe({ group: 'test.early', handlers })
    const endIdle = await idle.subscribe({
      group: 'test.idle',
      handlers: { 'auth.user-unbanned': async () => undefined },
    })
    await Promise.all([
      expect(bus.publish([banned('too early')])).rejects.toThrow(),
      expect(bus.health()).rejects.toThrow(),
      expect(bus.deadLetters('test.early')).rejects.toThrow(),
    ])
    // A consumer that waits for a broker can be stopped without one.
    await endIdle()
    await idle.close()
    await (running === undefined ? broker() : (await running).start())
    const event = banned('in time')
    await expect.poll(() => bus.publish([event]).then(() => 'published', String), eventually).toBe('published')
    await expect.poll(() => labels().at(-1), eventually).toBe('in time')
    await caughtUp(bus, 'test.early')
    await bus.close()
    expect(lines).toEqual(['consuming is interrupted', 'consuming is interrupted'])
  },
  testMs,
)

test(
  'killing a broker while a relay publishes loses no event and no order, and logs one line per service',
  async () => {
    const { log, lines } = rememberingLog()
    const kafka = await broker()
    const traffic = await givenTraffic(log, 10)
    for (let round = 0; round < 2; round += 1) {
      let isOver = false
      const writing = (async () => {
        while (!isOver) {
          traffic.write(25)
          await delay(20)
        }
        // Certain to wait for the broker.
        traffic.write(25)
      })()
      const before = traffic.effects().length
      try {
        await expect.poll(() => traffic.effects().length, eventually).toBeGreaterThan(before)
        await kafka.kill('SIGKILL')
      } finally {
        isOver = true
      }
      try {
        await writing
        expect(traffic.left()).toBeGreaterThan(0)
      } finally {
        // A retry and the next test need it running.
        await kafka.start()
      }
      await traffic.drained()
    }
    traffic.expectOrder()
    await traffic.close()
    expect(lines.filter((line) => line === 'consuming is interrupted')).toHaveLength(2)
    expect(lines.filter((line) => line === 'events wait in the outbox').length).toBeGreaterThanOrEqual(2)
    expect(new Set(lines)).toEqual(new Set(['consuming is interrupted', 'events wait in the outbox']))
  },
  testMs,
)

test(
  'a hanging broker makes publishing and health reject, and nothing is lost once it resumes',
  async () => {
    const { log } = rememberingLog()
    const kafka = await broker()
    const traffic = await givenTraffic(log, 5)
    const bus = await openBus(log, testTopicPrefix())
    traffic.write(100)
    await traffic.drained()
    await bus.publish([banned('before')])
    kafka.freeze()
    try {
      traffic.write(100)
      // A broker that is being stopped may still accept one.
      await expect
        .poll(
          () =>
            bus.publish([banned('meanwhile')]).then(
              () => 'published',
              () => 'refused',
            ),
          eventually,
        )
        .toBe('refused')
      await expect(bus.health()).rejects.toThrow()
    } finally {
      kafka.thaw()
    }
    traffic.write(100)
    await traffic.drained()
    traffic.expectOrder()
    await expect
      .poll(() => bus.publish([banned('after')]).then(() => 'published', String), eventually)
      .toBe('published')
    await Promise.all([traffic.close(), bus.close()])
  },
  testMs,
)
