import { unavailable } from '@parley/kit'
import { describe, expect, test } from 'vitest'
import type { BusHarness } from './harness.ts'
import { banned, caughtUp, eventually, labelsOf, recorder } from './recorder.ts'

const tries = 5
const errorOf = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Tries, dead letters and their replay. */
export function failureContract(harness: () => BusHarness): void {
  describe('failures', () => {
    test('a failing handler is attempted five times in all, and later events of the key wait for it', async () => {
      const bus = await harness().openReplica()
      let calls = 0
      const { handlers, labels } = recorder(async ({ data }) => {
        if (data.userId !== 'shaky') return
        calls += 1
        if (calls < tries) throw new Error('not yet')
      })
      await bus.publish([banned('shaky'), banned('next')])
      await bus.subscribe({ group: 'test.shaky', handlers })
      await expect.poll(labels, eventually).toEqual(['shaky', 'next'])
      expect(calls).toBe(tries)
      expect(await bus.deadLetters('test.shaky')).toEqual([])
    })

    test.each([
      ['another service is unavailable', unavailable()],
      ['its database is away', errorOf('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432')],
      ['its database fails over', errorOf('25006', 'cannot execute INSERT in a read-only transaction')],
    ])('a handler that fails because %s is attempted more than five times', async (_why, failure) => {
      const bus = await harness().openReplica()
      let calls = 0
      const { handlers, labels } = recorder(async () => {
        calls += 1
        if (calls <= 2 * tries) throw failure
      })
      await bus.publish([banned('in an outage')])
      await bus.subscribe({ group: 'test.outage', handlers })
      await expect.poll(labels, eventually).toEqual(['in an outage'])
      expect(await bus.deadLetters('test.outage')).toEqual([])
    })

    test('the event of a handler whose dependency stays unavailable is dead-lettered in the end', async () => {
      const bus = await harness().openReplica()
      await bus.subscribe({
        group: 'test.outage-lasts',
        handlers: recorder(() => Promise.reject(unavailable())).handlers,
      })
      await bus.publish([banned('for good')])
      await expect.poll(async () => (await bus.deadLetters('test.outage-lasts')).length, eventually).toBe(1)
    })

    test('the event of a failing handler is dead-lettered, and later events are handled', async () => {
      const bus = await harness().openReplica()
      const poison = banned('poison')
      let calls = 0
      const { handlers, labels } = recorder(async ({ data }) => {
        if (data.userId !== 'poison') return
        calls += 1
        throw new TypeError('cannot digest')
      })
      const healthy = recorder()
      await bus.publish([poison, banned('same key'), banned('other key', 'other')])
      await bus.subscribe({ group: 'test.poisoned', handlers })
      await bus.subscribe({ group: 'test.healthy', handlers: healthy.handlers })
      await expect.poll(() => labels().toSorted(), eventually).toEqual(['other key', 'same key'])
      await caughtUp(bus, 'test.poisoned')
      expect(calls).toBe(tries)
      const letters = await bus.deadLetters('test.poisoned')
      expect(letters).toEqual([
        {
          group: 'test.poisoned',
          event: poison,
          error: expect.stringContaining('cannot digest'),
          at: expect.any(Date),
        },
      ])
      await healthy.reaches(3)
      expect(await bus.deadLetters('test.healthy')).toEqual([])
    })

    test('the event of a handler whose error quotes a NUL is dead-lettered, and later events are handled', async () => {
      const bus = await harness().openReplica()
      const group = 'test.quoting'
      const { handlers, labels } = recorder(async ({ data }) => {
        if (data.userId === 'poison') throw new SyntaxError('"\0" is not valid JSON')
      })
      await bus.subscribe({ group, handlers })
      await bus.publish([banned('poison'), banned('next')])
      await expect.poll(labels, eventually).toContain('next')
      await caughtUp(bus, group)
      expect(await bus.deadLetters(group)).toMatchObject([{ error: 'SyntaxError: "" is not valid JSON' }])
    })

    test('an event that does not fit its schema is dead-lettered without asking the handler', async () => {
      const bus = await harness().openReplica()
      const { handlers, labels } = recorder()
      await harness().appendUnchecked('auth', { ...banned('newer'), v: 2 })
      await harness().appendUnchecked('auth', { type: 'auth.user-banned' })
      await bus.publish([banned('good')])
      await bus.subscribe({ group: 'test.schema', handlers })
      await expect.poll(labels, eventually).toEqual(['good'])
      await caughtUp(bus, 'test.schema')
      expect(await bus.deadLetters('test.schema')).toHaveLength(2)
    })

    test('dead letters are listed newest first', async () => {
      const bus = await harness().openReplica()
      const { handlers } = recorder(() => Promise.reject(new Error('no')))
      await bus.subscribe({ group: 'test.many', handlers })
      for (const label of ['1', '2', '3']) {
        await bus.publish([banned(label)])
        await expect.poll(async () => (await bus.deadLetters('test.many')).length, eventually).toBe(Number(label))
      }
      const events = (await bus.deadLetters('test.many')).map(({ event }) => event as ReturnType<typeof banned>)
      expect(labelsOf(events)).toEqual(['3', '2', '1'])
    })

    test('a replay removes the dead letters that succeed and keeps those that fail again', async () => {
      const bus = await harness().openReplica()
      const group = 'test.replay'
      const end = await bus.subscribe({ group, handlers: recorder(() => Promise.reject(new Error('bug'))).handlers })
      await bus.publish([banned('fixed 1'), banned('stubborn'), banned('fixed 2')])
      await expect.poll(async () => (await bus.deadLetters(group)).length, eventually).toBe(3)
      await end()
      const repaired = recorder(async ({ data }) => {
        if (data.userId === 'stubborn') throw new Error('still a bug')
      })
      const before = new Date()
      expect(await bus.replayDeadLetters({ group, handlers: repaired.handlers })).toBe(2)
      expect(repaired.labels()).toEqual(['fixed 1', 'fixed 2'])
      const left = await bus.deadLetters(group)
      expect(left).toEqual([expect.objectContaining({ error: expect.stringContaining('still a bug') })])
      expect(left[0]?.at.getTime()).toBeGreaterThanOrEqual(before.getTime())
      // Without a handler for its type it is not lost.
      expect(await bus.replayDeadLetters({ group, handlers: {} })).toBe(0)
      expect(await bus.deadLetters(group)).toEqual(left)
      expect(await bus.replayDeadLetters({ group, handlers: recorder().handlers })).toBe(1)
      expect(await bus.deadLetters(group)).toEqual([])
      expect(await bus.replayDeadLetters({ group, handlers: recorder().handlers })).toBe(0)
    })

    test('dead letters are counted by group with the time of the oldest, and dropped once', async () => {
      const bus = await harness().openReplica()
      const [group, other] = ['test.counted', 'test.counted-too']
      const before = new Date()
      const reject = recorder(() => Promise.reject(new Error('bug'))).handlers
      const ends = await Promise.all([group, other].map((name) => bus.subscribe({ group: name, handlers: reject })))
      await bus.publish([banned('first'), banned('second')])
      const counts = async () =>
        (await bus.countDeadLetters([group, other, 'test.none'])).map((one) => [one.group, one.count])
      await expect.poll(counts, eventually).toEqual([
        [group, 2],
        [other, 2],
      ])
      const [oldest] = await bus.countDeadLetters([group])
      expect(oldest?.oldestAt.getTime()).toBeGreaterThanOrEqual(before.getTime())
      expect(oldest?.oldestAt).toEqual((await bus.deadLetters(group)).at(-1)?.at)
      await Promise.all(ends.map((end) => end()))
      expect([await bus.dropDeadLetters(group), await bus.dropDeadLetters(group)]).toEqual([2, 0])
      expect(await counts()).toEqual([[other, 2]])
      expect(await bus.replayDeadLetters({ group, handlers: recorder().handlers })).toBe(0)
    })

    test('two concurrent replays replay each dead letter once', async () => {
      const bus = await harness().openReplica()
      const group = 'test.twice'
      const end = await bus.subscribe({ group, handlers: recorder(() => Promise.reject(new Error('bug'))).handlers })
      await bus.publish(Array.from({ length: 20 }, (_value, index) => banned(`e${index}`)))
      await expect.poll(async () => (await bus.deadLetters(group)).length, eventually).toBe(20)
      await end()
      const repaired = recorder()
      const replay = () => bus.replayDeadLetters({ group, handlers: repaired.handlers })
      const counts = await Promise.all([replay(), replay()])
      expect(counts[0] + counts[1]).toBe(20)
      expect(new Set(repaired.labels()).size).toBe(20)
      expect(repaired.labels()).toHaveLength(20)
    })
  })
}
