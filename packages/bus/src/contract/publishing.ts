import { maxEventBytes } from '@parley/contracts'
import { describe, expect, test } from 'vitest'
import { eventOf } from '../event-of.ts'
import type { BusHarness } from './harness.ts'
import { banned, caughtUp, eventually, publishInBatches, recorder } from './recorder.ts'

/** Durability, order and refusals of `publish`. */
export function publishingContract(harness: () => BusHarness): void {
  describe('publish', () => {
    test('delivers events whole and in the given order', async () => {
      const bus = await harness().openReplica()
      const events = Array.from({ length: 150 }, (_value, index) => banned(`e${index}`))
      const seen: unknown[] = []
      await bus.publish(events)
      await bus.subscribe({
        group: 'test.all',
        handlers: {
          'auth.user-banned': async (event) => {
            seen.push(event)
          },
        },
      })
      await expect.poll(() => seen.length, eventually).toBe(150)
      expect(seen).toEqual(events)
    })

    test('accepts an empty batch', async () => {
      const bus = await harness().openReplica()
      await bus.publish([])
      expect(await bus.lag(['test.nobody'])).toEqual({})
      await bus.health()
    })

    test.each([
      ['has no data', { ...banned('bad'), data: undefined }],
      ['has no key', { ...banned('bad'), key: undefined }],
      ['names no service', { ...banned('bad'), type: 'user-banned' }],
      ['is too large', banned('x'.repeat(maxEventBytes))],
    ])('refuses a batch with an event that %s, and appends none of it', async (_reason, bad) => {
      const bus = await harness().openReplica()
      const { handlers, labels } = recorder()
      await bus.subscribe({ group: 'test.all', handlers })
      await expect(bus.publish([banned('before'), bad as never, banned('after')])).rejects.toThrow()
      await bus.publish([banned('next')])
      await expect.poll(labels, eventually).toEqual(['next'])
    })

    test('carries events of a later version as they are, before and after others', async () => {
      const bus = await harness().openReplica()
      const { handlers, labels } = recorder()
      const later = {
        ...banned('later'),
        v: 2,
        data: { userId: 'later', reason: 'spam' },
        place: 'field of the envelope',
      }
      await bus.subscribe({ group: 'test.all', handlers })
      await bus.publish([
        banned('before'),
        { ...banned('unknown'), type: 'auth.user-eaten' } as never,
        later as never,
        banned('after'),
      ])
      await expect.poll(labels, eventually).toEqual(['before', 'after'])
      await expect.poll(() => bus.deadLetters('test.all'), eventually).toMatchObject([{ event: later }])
    })

    test('accepts the largest event', async () => {
      const bus = await harness().openReplica()
      const envelope = Buffer.byteLength(JSON.stringify(banned('')))
      const { handlers, reaches } = recorder()
      await bus.publish([banned('x'.repeat(maxEventBytes - envelope))])
      await bus.subscribe({ group: 'test.all', handlers })
      await reaches(1)
    })

    test('appends one batch to several topics', async () => {
      const bus = await harness().openReplica()
      const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
      const data = {
        generationId: 'g',
        chatId: null,
        userId: null,
        model: 'm',
        outcome: 'complete',
        charge: 0,
      } as const
      const finished = eventOf('chat.generation-finished', 'g', { ...data, usage }, { id: 'f', at: new Date() })
      const types: string[] = []
      const note = async (event: { type: string }): Promise<void> => {
        types.push(event.type)
      }
      await bus.publish([finished, banned('b')])
      await bus.subscribe({
        group: 'test.all',
        handlers: { 'auth.user-banned': note, 'chat.generation-finished': note },
      })
      await expect.poll(() => types.toSorted(), eventually).toEqual(['auth.user-banned', 'chat.generation-finished'])
    })

    test('rejects while the engine is unavailable, as health does, and works when it is back', async () => {
      const { bus, sever, restore } = await harness().openSevered()
      const { handlers, labels } = recorder()
      await bus.subscribe({ group: 'test.all', handlers })
      await bus.publish([banned('before')])
      await expect.poll(labels, eventually).toEqual(['before'])
      // Otherwise it may come again.
      await caughtUp(bus, 'test.all')
      sever()
      await expect(bus.publish([banned('lost')])).rejects.toThrow()
      await expect(bus.health()).rejects.toThrow()
      await expect(bus.lag(['test.nobody'])).rejects.toThrow()
      restore()
      await expect
        .poll(
          () =>
            bus.publish([banned('after')]).then(
              () => true,
              () => false,
            ),
          eventually,
        )
        .toBe(true)
      await expect.poll(labels, eventually).toEqual(['before', 'after'])
    })

    test('10,000 events from concurrent publishers reach concurrent readers without gaps, in order per key', async () => {
      const replicas = await Promise.all([harness().openReplica(), harness().openReplica()])
      const groups = await Promise.all(
        replicas.map(async (bus, index) => {
          const recorded = recorder()
          await bus.subscribe({ group: `test.reader-${index}`, handlers: recorded.handlers })
          return recorded
        }),
      )
      const writers = Array.from({ length: 4 }, (_value, writer) =>
        Array.from({ length: 2_500 }, (_event, index) => banned(`${writer}:${index}`, `key-${writer}`)),
      )
      await Promise.all(writers.map((events, writer) => publishInBatches(replicas[writer % 2] as never, events)))
      for (const [index, { labels, reaches }] of groups.entries()) {
        await reaches(10_000)
        await caughtUp(replicas[index] as never, `test.reader-${index}`)
        for (const [writer, events] of writers.entries()) {
          const mine = labels().filter((label) => label.startsWith(`${writer}:`))
          expect(mine).toEqual(events.map(({ data }) => data.userId))
        }
      }
    })
  })
}
