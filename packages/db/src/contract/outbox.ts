import { type Event, maxEventBytes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** The part of the bus's OutboxSource that a store gives, with its end. */
export interface OutboxReplica {
  pending(limit: number): Promise<readonly Event[]>
  published(ids: readonly string[]): Promise<void>
  exclusively(work: () => Promise<void>): Promise<boolean>
  onWritten?(wake: () => void): () => void
  close(): Promise<void>
}

/** An empty outbox, created for each test. */
export interface OutboxHarness {
  openReplica(): Promise<OutboxReplica>
  /** Writes events together with some state. */
  write(events: readonly Event[]): Promise<void>
  /** The same, but the state is refused at the end. */
  writeAndFail(events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

const eventually = { interval: 5 }
const event = (label: string, key = 'key'): Event => ({
  type: 'auth.user-banned',
  id: newId(),
  at: new Date().toISOString(),
  v: 1,
  key,
  data: { userId: label },
})

/** The contract of every outbox for the relay. */
export function outboxContract(engine: string, openHarness: () => Promise<OutboxHarness>): void {
  describe(`Outbox on ${engine}`, () => {
    let harness: OutboxHarness
    beforeEach(async () => {
      harness = await openHarness()
    })
    afterEach(() => harness.close())

    test('returns the oldest events whole and in the order they were written, until they are published', async () => {
      const outbox = await harness.openReplica()
      const events = Array.from({ length: 5 }, (_value, index) => event(`e${index}`))
      await harness.write(events.slice(0, 3))
      await harness.write(events.slice(3))
      expect(await outbox.pending(2)).toEqual(events.slice(0, 2))
      expect(await outbox.pending(9)).toEqual(events)
      await outbox.published([events[0]?.id ?? '', events[2]?.id ?? ''])
      expect(await outbox.pending(9)).toEqual([events[1], events[3], events[4]])
      await outbox.published([])
      await outbox.published(events.map(({ id }) => id))
      expect(await outbox.pending(9)).toEqual([])
    })

    test('has no event of a change that was rolled back', async () => {
      const outbox = await harness.openReplica()
      await harness.writeAndFail([event('lost')])
      await harness.write([event('kept')])
      expect((await outbox.pending(9)).map(({ data }) => data)).toEqual([{ userId: 'kept' }])
    })

    test.each([
      ['does not fit its schema', { ...event('bad'), data: {} } as never],
      ['is too large', event('x'.repeat(maxEventBytes))],
    ])('refuses an event that %s together with its change', async (_reason, bad) => {
      const outbox = await harness.openReplica()
      await expect(harness.write([event('good'), bad])).rejects.toThrow()
      expect(await outbox.pending(9)).toEqual([])
    })

    test('keeps the order per key of concurrent writers', async () => {
      const outbox = await harness.openReplica()
      const writers = Array.from({ length: 5 }, async (_value, writer) => {
        for (let index = 0; index < 10; index += 1) await harness.write([event(String(index), `key-${writer}`)])
      })
      await Promise.all(writers)
      const pending = await outbox.pending(100)
      for (let writer = 0; writer < 5; writer += 1) {
        const mine = pending.filter(({ key }) => key === `key-${writer}`)
        expect(mine.map(({ data }) => data)).toEqual(
          Array.from({ length: 10 }, (_value, index) => ({ userId: String(index) })),
        )
      }
    })

    test('lets one replica work at a time, and the next one after it', async () => {
      const [one, other] = [await harness.openReplica(), await harness.openReplica()]
      const inside = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const working = one.exclusively(async () => {
        inside.resolve()
        await gate.promise
      })
      await inside.promise
      let intruded = false
      const intrude = async (): Promise<void> => {
        intruded = true
      }
      expect(await other.exclusively(intrude)).toBe(false)
      expect(await one.exclusively(intrude)).toBe(false)
      gate.resolve()
      expect(await working).toBe(true)
      expect(intruded).toBe(false)
      expect(await other.exclusively(intrude)).toBe(true)
      expect(intruded).toBe(true)
    })

    test('work that fails, or a replica that dies, lets the next replica work', async () => {
      const [one, other] = [await harness.openReplica(), await harness.openReplica()]
      await expect(one.exclusively(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await other.exclusively(async () => undefined)).toBe(true)
      const inside = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const working = one.exclusively(async () => {
        inside.resolve()
        await gate.promise
      })
      await inside.promise
      await one.close()
      await expect.poll(() => other.exclusively(async () => undefined), eventually).toBe(true)
      gate.resolve()
      await Promise.allSettled([working])
    })

    test('wakes listeners after a write, where the engine notifies', async () => {
      const outbox = await harness.openReplica()
      await outbox.pending(1)
      let wakes = 0
      const end = outbox.onWritten?.(() => {
        wakes += 1
      })
      if (end === undefined) return
      await harness.writeAndFail([event('lost')])
      expect(wakes).toBe(0)
      await harness.write([event('1')])
      await expect.poll(() => wakes, eventually).toBe(1)
      end()
      await harness.write([event('2')])
      await outbox.pending(1)
      expect(wakes).toBe(1)
    })
  })
}
