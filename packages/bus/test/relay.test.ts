import type { Event } from '@parley/contracts'
import { createLogger } from '@parley/kit'
import { expect, test } from 'vitest'
import { banned, createGate, eventually } from '../src/contract/recorder.ts'
import { type OutboxSource, startRelay } from '../src/index.ts'

const log = createLogger('relay-test', 'silent')

/** An outbox in memory that two replicas can share. */
function createOutbox(events: Event[]) {
  let taken = false
  const asked: string[] = []
  let wake: (() => void) | undefined
  const source: OutboxSource = {
    async pending(limit) {
      asked.push('pending')
      return events.slice(0, limit)
    },
    async published(ids) {
      asked.push('published')
      events.splice(0, events.length, ...events.filter(({ id }) => !ids.includes(id)))
    },
    async exclusively(work) {
      if (taken) return false
      taken = true
      asked.push('taken')
      try {
        await work()
      } finally {
        taken = false
        asked.push('given back')
      }
      return true
    },
    onWritten(listener) {
      wake = listener
      return () => {
        wake = undefined
      }
    },
  }
  return { source, asked, wake: () => wake?.(), left: () => events.length, hasListener: () => wake !== undefined }
}

const many = (count: number): Event[] => Array.from({ length: count }, (_value, index) => banned(`e${index}`))

test('a relay publishes all events in order and removes them from the outbox', async () => {
  const events = many(250)
  const expected = [...events]
  const outbox = createOutbox(events)
  const published: Event[] = []
  const relay = startRelay({
    source: outbox.source,
    bus: { publish: async (batch) => void published.push(...batch) },
    log,
  })
  await expect.poll(outbox.left, eventually).toBe(0)
  expect(published).toEqual(expected)
  await relay.stop()
  expect(outbox.hasListener()).toBe(false)
})

test('a relay keeps unpublished events, and continues when the bus is back', async () => {
  const events = many(3)
  const expected = [...events]
  const outbox = createOutbox(events)
  const published: Event[] = []
  let failures = 0
  const publish = async (batch: readonly Event[]): Promise<void> => {
    if (failures < 2) {
      failures += 1
      expect(outbox.left()).toBe(3)
      throw new Error('The bus is unavailable')
    }
    published.push(...batch)
  }
  const relay = startRelay({ source: outbox.source, bus: { publish }, log })
  await expect.poll(outbox.left, eventually).toBe(0)
  expect(failures).toBe(2)
  expect(published).toEqual(expected)
  await relay.stop()
})

test.each(['nudge', 'wake'] as const)('a %s publishes the events written meanwhile', async (way) => {
  const events: Event[] = []
  const outbox = createOutbox(events)
  const relay = startRelay({ source: outbox.source, bus: { publish: async () => undefined }, log })
  for (let round = 0; round < 20; round += 1) {
    events.push(banned(`round ${round}`))
    if (way === 'nudge') relay.nudge()
    else outbox.wake()
    await expect.poll(outbox.left, eventually).toBe(0)
  }
  await relay.stop()
})

test('a relay without events gives the right to relay back, and looks without taking it', async () => {
  const outbox = createOutbox([])
  const relay = startRelay({ source: outbox.source, bus: { publish: async () => undefined }, log })
  const looks = { interval: 5, timeout: 10_000 }
  await expect
    .poll(() => outbox.asked.slice(0, 5), looks)
    .toEqual(['taken', 'pending', 'given back', 'pending', 'pending'])
  await relay.stop()
})

test('of two relays on one outbox one publishes, and the other takes over', async () => {
  const events = many(1)
  const outbox = createOutbox(events)
  const gate = createGate()
  const publishers: string[] = []
  const first = startRelay({
    source: outbox.source,
    bus: {
      publish: async () => {
        publishers.push('first')
        await gate.passed
      },
    },
    log,
  })
  await expect.poll(() => publishers, eventually).toEqual(['first'])
  const second = startRelay({
    source: outbox.source,
    bus: { publish: async () => void publishers.push('second') },
    log,
  })
  second.nudge()
  gate.open()
  await first.stop()
  expect(publishers).toEqual(['first'])
  events.push(...many(1))
  await expect.poll(outbox.left, eventually).toBe(0)
  expect(publishers).toEqual(['first', 'second'])
  await second.stop()
})

test('a relay stops after the current batch, and at once while the bus is unavailable', async () => {
  const outbox = createOutbox(many(250))
  const gate = createGate()
  let batches = 0
  const publish = async (): Promise<void> => {
    batches += 1
    await gate.passed
  }
  const relay = startRelay({ source: outbox.source, bus: { publish }, log })
  await expect.poll(() => batches, eventually).toBe(1)
  const stopping = relay.stop()
  gate.open()
  await stopping
  expect(batches).toBe(1)
  expect(outbox.left()).toBe(150)
})
