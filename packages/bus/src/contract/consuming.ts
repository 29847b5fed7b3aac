import { describe, expect, test } from 'vitest'
import type { EventBus } from '../event-bus.ts'
import type { BusHarness } from './harness.ts'
import { banned, caughtUp, createGate, eventually, recorder } from './recorder.ts'

/** Groups, replicas, order and ends of subscriptions. */
export function consumingContract(harness: () => BusHarness): void {
  describe('subscribe', () => {
    test('a new group starts at the oldest event, and every group sees every event', async () => {
      const bus = await harness().openReplica()
      const [first, second] = [recorder(), recorder()]
      await bus.publish([banned('1')])
      await bus.subscribe({ group: 'test.first', handlers: first.handlers })
      await expect.poll(first.labels, eventually).toEqual(['1'])
      await bus.publish([banned('2')])
      await bus.subscribe({ group: 'test.second', handlers: second.handlers })
      await expect.poll(first.labels, eventually).toEqual(['1', '2'])
      await expect.poll(second.labels, eventually).toEqual(['1', '2'])
    })

    test('a group that was not subscribed for a while gets each missed event once', async () => {
      const bus = await harness().openReplica()
      const [before, after] = [recorder(), recorder()]
      const end = await bus.subscribe({ group: 'test.away', handlers: before.handlers })
      await bus.publish([banned('1')])
      await caughtUp(bus, 'test.away')
      await end()
      await bus.publish([banned('2')])
      expect(await bus.lag(['test.away'])).toEqual({ 'test.away': 1 })
      await bus.subscribe({ group: 'test.away', handlers: after.handlers })
      await expect.poll(after.labels, eventually).toEqual(['2'])
      expect(before.labels()).toEqual(['1'])
    })

    test('a subscription skips events of types without a handler', async () => {
      const bus = await harness().openReplica()
      const { handlers, labels } = recorder()
      await bus.publish([{ ...banned('other'), type: 'auth.user-unbanned' }, banned('mine')])
      await harness().appendUnchecked('auth', { ...banned('future'), type: 'auth.user-promoted', v: 9 })
      await bus.subscribe({ group: 'test.some', handlers })
      await caughtUp(bus, 'test.some')
      expect(labels()).toEqual(['mine'])
      expect(await bus.deadLetters('test.some')).toEqual([])
    })

    test('replicas share a group: each event goes to one of them', async () => {
      const replicas = await Promise.all([harness().openReplica(), harness().openReplica()])
      const { handlers, labels, reaches } = recorder()
      for (const bus of replicas) await bus.subscribe({ group: 'test.shared', handlers })
      const sent = Array.from({ length: 200 }, (_value, index) => `e${index}`)
      const labelsFrom = (replica: number) => sent.filter((_label, index) => index % replicas.length === replica)
      // One after the other, as a relay publishes: a crowd of publishers would wait for connections, which is not what this is about.
      const publishAll = async (bus: EventBus, from: readonly string[]) => {
        for (const [index, label] of from.entries()) await bus.publish([banned(label, `key-${index % 10}`)])
      }
      await Promise.all(replicas.map((bus, replica) => publishAll(bus, labelsFrom(replica))))
      await reaches(200)
      await caughtUp(replicas[0] as never, 'test.shared')
      expect(labels().toSorted()).toEqual(sent.toSorted())
    })

    test('events of a key are handled one at a time, in order, while other keys proceed', async () => {
      const bus = await harness().openReplica()
      const gate = createGate()
      const running = new Set<string>()
      const overlaps: string[] = []
      const { handlers, labels } = recorder(async ({ key, data }) => {
        if (running.has(key)) overlaps.push(data.userId)
        running.add(key)
        if (data.userId === 'slow-1') await gate.passed
        running.delete(key)
      })
      await bus.publish([banned('slow-1', 'slow'), banned('slow-2', 'slow'), banned('quick', 'quick')])
      await bus.subscribe({ group: 'test.keys', handlers })
      await expect.poll(labels, eventually).toEqual(['quick'])
      gate.open()
      await expect.poll(labels, eventually).toEqual(['quick', 'slow-1', 'slow-2'])
      expect(overlaps).toEqual([])
    })

    test('an event whose consumer was killed while handling it is redelivered to another replica', async () => {
      const bus = await harness().openReplica()
      const event = banned('survivor')
      const victim = await harness().startHangingConsumer('test.crash')
      await bus.publish([event])
      expect(await victim.handling).toBe(event.id)
      const { handlers, labels } = recorder()
      await bus.subscribe({ group: 'test.crash', handlers })
      expect(labels()).toEqual([])
      victim.kill()
      await expect.poll(labels, eventually).toEqual(['survivor'])
    })

    test('a consumer that loses the engine while handling continues once the engine is back', async () => {
      const { bus, sever, restore } = await harness().openSevered()
      const publisher = await harness().openReplica()
      const gate = createGate()
      const tries: string[] = []
      await bus.subscribe({
        group: 'test.severed',
        handlers: {
          'auth.user-banned': async ({ data }) => {
            tries.push(data.userId)
            await gate.passed
          },
        },
      })
      await publisher.publish([banned('1'), banned('2')])
      await expect.poll(() => tries, eventually).toEqual(['1'])
      sever()
      gate.open()
      restore()
      await caughtUp(publisher, 'test.severed')
      expect(tries).toEqual(expect.arrayContaining(['1', '2']))
    })

    test.each(['its end', 'close'] as const)(
      '%s waits for the running handler and starts no further one',
      async (way) => {
        const [bus, other] = await Promise.all([harness().openReplica(), harness().openReplica()])
        const gate = createGate()
        const started: string[] = []
        const { handlers, labels } = recorder(async ({ data }) => {
          started.push(data.userId)
          await gate.passed
        })
        const end = await bus.subscribe({ group: 'test.end', handlers })
        await bus.publish([banned('1'), banned('2')])
        await expect.poll(() => started, eventually).toEqual(['1'])
        let ended = false
        const ending = (way === 'close' ? bus.close() : end()).then(() => {
          ended = true
        })
        await other.health()
        expect(ended).toBe(false)
        gate.open()
        await ending
        expect(labels()).toEqual(['1'])
        const next = recorder()
        await other.subscribe({ group: 'test.end', handlers: next.handlers })
        await expect.poll(next.labels, eventually).toEqual(['2'])
        expect(started).toEqual(['1'])
      },
    )

    test('closing the bus is idempotent', async () => {
      const bus = await harness().openReplica()
      await Promise.all([bus.close(), bus.close()])
      await bus.close()
      await expect(bus.publish([banned('late')])).rejects.toThrow()
    })
  })
}
