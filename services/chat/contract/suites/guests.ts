import { describe, expect, it } from 'vitest'
import { type ChatEngine, second } from './samples.ts'

/** Every sentence of the guest store's guarantees, on one engine. */
export function guestStoreContract(name: string, engine: ChatEngine): void {
  describe(`guest store on ${name}`, () => {
    const windowMs = 100_000
    const guests = () => engine.stores.guests
    const take = (id: string, { messages = 2, at = 0, bucket = 'b' } = {}) =>
      guests().take(bucket, id, { messages, windowMs }, second(at))
    const used = async (at = 0) => (await guests().use('b', windowMs, second(at))).used

    it('grants exactly the limit to many at once, in each bucket', async () => {
      const tries = Array.from({ length: 50 }, (_, nth) =>
        (nth % 2 ? engine.replica : engine.stores).guests.take('b', `g${nth}`, { messages: 2, windowMs }, second(0)),
      )
      expect((await Promise.all(tries)).filter(({ granted }) => granted)).toHaveLength(2)
      expect(await used()).toBe(2)
      expect((await take('x', { bucket: 'other' })).granted).toBe(true)
    })

    it('takes one message per generation, however often it is called', async () => {
      expect(await take('a')).toEqual({ granted: true, used: 1, resetAt: second(100) })
      expect(await take('a', { at: 1 })).toEqual({ granted: true, used: 1, resetAt: second(100) })
    })

    it('takes nothing when it refuses', async () => {
      await take('a')
      await take('b')
      expect(await take('c', { at: 5 })).toEqual({ granted: false, used: 2, resetAt: second(100) })
      expect((await take('d', { messages: 0, bucket: 'empty' })).granted).toBe(false)
      expect(await used()).toBe(2)
    })

    it('applies a changed limit at once', async () => {
      await take('a')
      expect((await take('b', { messages: 1 })).granted).toBe(false)
      expect((await take('b', { messages: 2 })).granted).toBe(true)
    })

    it('returns a message to the allowance once', async () => {
      await take('a')
      await take('b')
      await guests().settle('b', 'a', false)
      await guests().settle('b', 'a', false)
      await guests().settle('b', 'b', true)
      await guests().settle('b', 'b', false)
      await guests().settle('b', 'never', false)
      await guests().settle('no bucket', 'a', false)
      expect(await used()).toBe(1)
    })

    it('starts a new window with the first message after the old one', async () => {
      await take('a')
      await take('b')
      expect(await guests().use('b', windowMs, second(99))).toEqual({ used: 2, resetAt: second(100) })
      expect(await guests().use('b', windowMs, second(100))).toEqual({ used: 0, resetAt: undefined })
      expect(await take('c', { at: 150 })).toEqual({ granted: true, used: 1, resetAt: second(250) })
      await guests().settle('b', 'a', false)
      expect(await used(150)).toBe(1)
    })

    it('forgets old buckets', async () => {
      await take('a')
      await guests().purge(second(0))
      expect(await used()).toBe(1)
      await guests().purge(second(1))
      expect(await used()).toBe(0)
    })
  })
}
