import type { Event } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createChange } from '../change.ts'
import type { Collection, Documents, Key, Page, Range } from '../documents.ts'

/** The documents of the suite. */
export interface Thing {
  readonly id: string
  readonly owner: string
  readonly at: Date
  readonly parts: readonly string[]
  readonly holder: string | null
  readonly note?: string | undefined
}

/** The collection that the suite is run on. */
export const things: Collection<Thing, 'by_owner' | 'by_holder'> = {
  name: 'things',
  schema: z.looseObject({
    id: z.string(),
    owner: z.string(),
    at: z.coerce.date(),
    parts: z.array(z.string()),
    holder: z.string().nullable(),
    note: z.string().optional(),
  }),
  indexes: { by_owner: ['owner', 'at'], by_holder: ['holder'] },
}

type Things = Documents<Thing, 'by_owner' | 'by_holder'>

/** An engine for one run of the suite. */
export interface DocumentsHarness {
  /** With connections of its own; it has migrated before it is returned. */
  openReplica(): Promise<Things>
  /** `cut` ends every connection at once, and tells how many those were. */
  openSeverable(): Promise<{ readonly documents: Things; cut(): number }>
  /** Events that wait to be published, in their order. */
  pending(): Promise<readonly Event[]>
  close(): Promise<void>
}

const eventually = { timeout: 30_000, interval: 50 }
const second = (seconds: number): Date => new Date(Date.UTC(2030, 0, 1) + seconds * 1000)
const thing = (id: string, parts: Partial<Thing> = {}): Thing => ({
  ...{ id, owner: 'ann', at: second(0), parts: [], holder: null },
  ...parts,
})
const event = (label: string): Event => ({
  ...{ type: 'auth.user-banned', id: newId(), at: second(0).toISOString(), v: 1 },
  ...{ key: 'key', data: { userId: label } },
})
const adding =
  (part: string, events: readonly Event[] = []) =>
  (doc: Thing | undefined) => ({
    result: part,
    next: { ...(doc ?? thing('made')), parts: [...(doc?.parts ?? []), part] },
    events,
  })
const many = Array.from({ length: 50 }, (_none, nth) => nth)

/** Every sentence of the port, on one engine. */
export function documentsContract(engine: string, openHarness: () => Promise<DocumentsHarness>): void {
  describe(`documents on ${engine}`, () => {
    let harness: DocumentsHarness
    let one: Things
    let other: Things
    const either = (nth: number): Things => (nth % 2 ? one : other)
    beforeAll(async () => {
      harness = await openHarness()
      // All at once, as replicas that are started together do.
      const replicas = await Promise.all([harness.openReplica(), harness.openReplica(), harness.openReplica()])
      one = replicas[0]
      other = replicas[1]
    })
    afterAll(() => harness.close())

    const pendingOf = async (prefix: string): Promise<string[]> => {
      const labels = (await harness.pending()).map(({ data }) => (data as { userId: string }).userId)
      return labels.filter((label) => label.startsWith(prefix))
    }
    const idsOf = async (
      range: Range,
      page: Partial<Page<Thing>> = {},
      index: 'by_owner' | 'by_holder' | 'id' = 'by_owner',
    ) => (await one.find(index, range, { limit: 100, ...page })).map(({ doc }) => doc.id)

    test('a document is read by every replica as it was written, unknown fields included', async () => {
      const newer = { ...thing('kept', { parts: ['ä', '€"\\'], at: second(1.5) }), later: { deep: [1, null, 'x'] } }
      expect(await one.get('kept')).toBeUndefined()
      const [kept] = await one.insertOnce([newer])
      expect(kept).toEqual({ doc: newer, version: expect.any(Number), isNew: true })
      expect(await other.get('kept')).toEqual({ doc: newer, version: kept?.version })
    })

    test('the version alone is that of the document, moves with each change of any replica, and is gone with the document', async () => {
      expect(await one.version('alone')).toBeUndefined()
      const [inserted] = await one.insertOnce([thing('alone')])
      if (inserted === undefined) throw new Error('nothing was kept')
      const versions = [await other.version('alone')]
      await one.replace(inserted, { parts: ['x'] })
      versions.push(await other.version('alone'))
      await other.patch('alone', {}, { holder: 'me' })
      versions.push(await one.version('alone'))
      expect(versions).toEqual([inserted.version, inserted.version + 1, inserted.version + 2])
      expect((await one.get('alone'))?.version).toBe(versions.at(-1))
      await one.removeWhere('id', { equal: ['alone'] }, 1)
      expect(await other.version('alone')).toBeUndefined()
    })

    test('of concurrent inserts of the same documents one succeeds, and all get what is stored', async () => {
      const tries = await Promise.all(
        many.map((nth) =>
          either(nth).insertOnce([thing('b', { parts: [`${nth}`] }), thing('a', { parts: [`${nth}`] })]),
        ),
      )
      for (const place of [0, 1]) {
        expect(tries.filter((told) => told[place]?.isNew)).toHaveLength(1)
        expect(new Set(tries.map((told) => told[place]?.doc.parts[0])).size).toBe(1)
      }
      const [kept, added] = await one.insertOnce([thing('a'), thing('c')])
      expect([kept?.isNew, kept?.version, added?.isNew]).toEqual([false, tries[0]?.[1]?.version, true])
    })

    test('of 50 racing replaces of one version one wins, and the document is as the winner has it', async () => {
      const [read] = await one.insertOnce([thing('raced')])
      if (read === undefined) throw new Error('nothing was kept')
      const tries = await Promise.all(many.map((nth) => either(nth).replace(read, { parts: [`${nth}`] })))
      const winners = tries.filter((won) => won !== undefined)
      expect(winners).toHaveLength(1)
      expect(winners[0]?.version).toBe(read.version + 1)
      expect(await other.get('raced')).toEqual(winners[0])
    })

    test('50 concurrent changes are all made, each on the result of the one before, also of a document that they create', async () => {
      const changes = [createChange(one), createChange(other)]
      await Promise.all(many.map((nth) => changes[nth % 2]?.('made', adding(`${nth}`))))
      const found = await one.get('made')
      expect(found?.doc.parts.map(Number).sort((low, high) => low - high)).toEqual(many)
    })

    test('changes that one process makes at once are written as one, in their order, and what it wrote is not read again', async () => {
      const [inserted] = await one.insertOnce([thing('turns')])
      const reads: string[] = []
      const get: Things['get'] = (id) => {
        reads.push(id)
        return one.get(id)
      }
      const change = createChange({ ...one, get })
      await Promise.all(many.map((nth) => change('turns', adding(`${nth}`))))
      const found = await other.get('turns')
      expect(found?.doc.parts.map(Number)).toEqual(many)
      // As inserted, after the first change, and after all concurrent ones.
      expect(found?.version).toBe((inserted?.version ?? 0) + 2)
      await change('turns', adding('later'))
      expect(reads).toEqual(['turns'])
    })

    test('no more documents are remembered than a change is told to, as they may be large', async () => {
      await one.insertOnce([thing('large 1'), thing('large 2')])
      const reads: string[] = []
      const get: Things['get'] = (id) => {
        reads.push(id)
        return one.get(id)
      }
      const readsOf = async (mostRemembered: number): Promise<readonly string[]> => {
        const change = createChange({ ...one, get }, { mostRemembered })
        for (const id of ['large 1', 'large 1', 'large 2', 'large 2', 'large 1']) await change(id, adding('x'))
        return reads.splice(0)
      }
      expect(await readsOf(2)).toEqual(['large 1', 'large 2'])
      expect(await readsOf(1)).toEqual(['large 1', 'large 2', 'large 1'])
      expect(await readsOf(0)).toEqual(['large 1', 'large 1', 'large 2', 'large 2', 'large 1'])
    })

    test('a change is decided on what another replica wrote before it, also behind one that read or wrote earlier', async () => {
      await one.insertOnce([thing('waited')])
      const [read, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const get: Things['get'] = async (id) => {
        const found = await one.get(id)
        read.resolve()
        await go.promise
        return found
      }
      const change = createChange({ ...one, get })
      const look = (doc: Thing | undefined) => ({ result: doc?.parts })
      const first = change('waited', look)
      await read.promise
      await createChange(other)('waited', adding('x'))
      const second = change('waited', look)
      go.resolve()
      expect(await Promise.all([first, second])).toEqual([[], ['x']])
      await change('waited', adding('y'))
      await createChange(other)('waited', adding('z'))
      expect(await change('waited', look)).toEqual(['x', 'y', 'z'])
    })

    test('when a change fails, changes queued behind it are made', async () => {
      await one.insertOnce([thing('failed')])
      const failing = Promise.withResolvers<never>()
      let asked = 0
      const get: Things['get'] = async (id) => {
        asked += 1
        return asked === 1 ? await failing.promise : await one.get(id)
      }
      const change = createChange({ ...one, get })
      const changes = ['1', '2', '3'].map((part) => change('failed', adding(part)))
      failing.reject(new Error('the engine is unavailable'))
      const outcomes = await Promise.allSettled(changes)
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
      await change('failed', adding('4'))
      expect((await one.get('failed'))?.doc.parts).toEqual(['2', '3', '4'])
    })

    test('a change that decides to do nothing leaves the document and its version', async () => {
      const [inserted] = await one.insertOnce([thing('left')])
      expect(await createChange(one)('left', () => ({ result: 'seen' }))).toBe('seen')
      expect((await one.get('left'))?.version).toBe(inserted?.version)
    })

    test('a change removes the fields that its new value lacks or has as undefined, and keeps unknown ones that it has', async () => {
      const changes = [createChange(one), createChange(other)]
      const newer = { ...thing('noted', { note: 'first' }), later: 'kept' }
      await one.insertOnce([newer])
      await changes[0]?.('noted', (doc) => ({ result: undefined, next: doc && { ...doc, note: undefined } }))
      expect(await other.get('noted')).toEqual({
        doc: { ...thing('noted'), later: 'kept' },
        version: expect.any(Number),
      })
      expect(Object.keys((await other.get('noted'))?.doc ?? {})).not.toContain('note')
      await changes[1]?.('noted', (doc) => ({ result: undefined, next: doc && { ...doc, note: 'second' } }))
      expect((await one.get('noted'))?.doc).toEqual({ ...newer, note: 'second' })
      // What was remembered of the first change is outdated by now.
      await changes[0]?.('noted', () => ({ result: undefined, next: thing('noted') }))
      expect((await other.get('noted'))?.doc).toStrictEqual(thing('noted'))
    })

    test('replacing keeps the fields that are not given, removes those given as undefined, and returns what is stored', async () => {
      const [read] = await one.insertOnce([thing('bare', { note: 'x', holder: 'me' })])
      if (read === undefined) throw new Error('nothing was kept')
      const then = await one.replace(read, { note: undefined })
      expect(then).toStrictEqual({ doc: thing('bare', { holder: 'me' }), version: read.version + 1 })
      expect(await other.get('bare')).toStrictEqual(then)
      await one.patch('bare', {}, { note: 'y' })
      await one.patch('bare', {}, { note: undefined, parts: ['z'] })
      expect((await other.get('bare'))?.doc).toStrictEqual(thing('bare', { holder: 'me', parts: ['z'] }))
    })

    test('replacing keeps the fields that are not given, clears those that are null, and is refused once it is gone', async () => {
      const newer = { ...thing('part', { holder: 'me' }), later: 'kept' }
      const [read] = await one.insertOnce([newer])
      if (read === undefined) throw new Error('nothing was kept')
      const then = await one.replace(read, { holder: null })
      expect(then).toEqual({ doc: { ...read.doc, holder: null }, version: read.version + 1 })
      expect(await other.get('part')).toEqual(then)
      await one.removeWhere('id', { equal: ['part'] }, 1)
      expect(await one.replace(then ?? read, { holder: 'me' })).toBeUndefined()
      expect(await one.get('part')).toBeUndefined()
    })

    test('a document that was removed and inserted again is not replaced on an earlier read', async () => {
      const [read] = await one.insertOnce([thing('again', { parts: ['first'] })])
      if (read === undefined) throw new Error('nothing was kept')
      await other.removeWhere('id', { equal: ['again'] }, 1)
      await other.insertOnce([thing('again', { parts: ['second'] })])
      expect(await one.replace(read, { parts: ['first', 'more'] })).toBeUndefined()
      expect((await one.get('again'))?.doc.parts).toEqual(['second'])
    })

    test('a patch applies under a lock on the document, whatever its version, and moves the version', async () => {
      const [read] = await one.insertOnce([thing('leased', { holder: 'me' })])
      if (read === undefined) throw new Error('nothing was kept')
      expect(await one.patch('leased', { holder: 'me' }, { parts: ['1'] })).toBe(true)
      expect(await other.patch('leased', { holder: 'me' }, { parts: ['1', '2'], at: second(3) })).toBe(true)
      expect(await other.patch('leased', { holder: 'another' }, { parts: ['stolen'] })).toBe(false)
      expect(await other.patch('nowhere', {}, { parts: ['made'] })).toBe(false)
      expect(await one.replace(read, { parts: ['stale'] })).toBeUndefined()
      const doc = { ...read.doc, parts: ['1', '2'], at: second(3) }
      expect(await one.get('leased')).toEqual({ doc, version: read.version + 2 })
    })

    test('events are written with their change, in order, and not with one that is refused', async () => {
      const [read] = await one.insertOnce([thing('told'), thing('told too')], [event('told 1'), event('told 2')])
      if (read === undefined) throw new Error('nothing was kept')
      await one.insertOnce([thing('told'), thing('new')], [event('told again')])
      await one.replace(read, { holder: 'me' }, [event('told 3')])
      await one.replace(read, { holder: 'you' }, [event('told by the loser')])
      await one.patch('told', { holder: 'you' }, {}, [event('told in vain')])
      await one.patch('told', { holder: 'me' }, { parts: ['x'] }, [event('told 4')])
      expect(await pendingOf('told')).toEqual(['told 1', 'told 2', 'told 3', 'told 4'])
      const bad = { ...event('bad'), data: {} } as never
      await expect(one.patch('told', {}, { parts: ['bad'] }, [bad])).rejects.toThrow()
      expect((await one.get('told'))?.doc.parts).toEqual(['x'])
    })

    test('an event is published also when its document is removed right after it was written', async () => {
      await one.insertOnce([thing('brief')], [event('brief')])
      await one.removeWhere('id', { equal: ['brief'] }, 1)
      expect(await pendingOf('brief')).toEqual(['brief'])
    })

    test('a range is found in the order of its index, in pages either way, and equal ones by their ids', async () => {
      const times = [3, 1, 2, 2, 2, 4]
      await one.insertOnce(times.map((at, nth) => thing(`p${nth}`, { owner: 'pat', at: second(at) })))
      await one.insertOnce([thing('q', { owner: 'pam' }), thing('r', { owner: 'pat2' })])
      const upwards = ['p1', 'p2', 'p3', 'p4', 'p0', 'p5']
      expect(await idsOf({ equal: ['pat'] })).toEqual(upwards)
      expect(await idsOf({ equal: ['pat'] }, { descending: true })).toEqual([...upwards].reverse())
      expect(await idsOf({ equal: ['pat'], from: second(2), before: second(4) })).toEqual(upwards.slice(1, 5))
      for (const descending of [false, true]) {
        const seen: string[] = []
        for (let after: Thing | undefined; ; ) {
          const page = await one.find('by_owner', { equal: ['pat'] }, { limit: 2, descending, ...(after && { after }) })
          if (page.length === 0) break
          seen.push(...page.map(({ doc }) => doc.id))
          after = page.at(-1)?.doc
        }
        expect(seen).toEqual(descending ? [...upwards].reverse() : upwards)
      }
    })

    test('an index orders texts byte by byte, and leaves out what has none', async () => {
      const holders = ['b', 'a', 'B', '_', 'ä', null]
      const inserted = holders.map((holder, nth) => thing(`h${nth}`, { holder: holder && `holder ${holder}` }))
      await one.insertOnce(inserted)
      const range = { from: 'holder', before: 'holder~' }
      expect(await idsOf(range, {}, 'by_holder')).toEqual(['h2', 'h3', 'h1', 'h0', 'h4'])
      expect(await idsOf({}, {}, 'by_holder')).not.toContain('h5')
      expect(await idsOf({ from: 'h1', before: 'h4' }, {}, 'id')).toEqual(['h1', 'h2', 'h3'])
    })

    test('a range with more keys than its index has fields is refused', async () => {
      const keys: Key[] = ['ann', second(0), 'more']
      await expect(one.find('by_owner', { equal: keys }, { limit: 1 })).rejects.toThrow(RangeError)
    })

    test('removing takes what is in the range, no more at once than it may, until it finds none', async () => {
      await one.insertOnce(many.map((nth) => thing(`old ${nth}`, { owner: 'olga', at: second(nth) })))
      const range = { equal: ['olga'], before: second(40) }
      const found: number[] = []
      do found.push(await one.removeWhere('by_owner', range, 15))
      while (found.at(-1) !== 0)
      expect(found).toEqual([15, 15, 10, 0])
      expect(await idsOf({ equal: ['olga'] })).toHaveLength(10)
    })

    test('killed connections lose no acknowledged change, and leave no change without its event', async () => {
      const { documents, cut } = await harness.openSeverable()
      const change = createChange(documents)
      await documents.insertOnce([thing('cut')])
      const acknowledged: string[] = []
      let cuts = 0
      let failures = 0
      const write = async (writer: number): Promise<void> => {
        for (let nth = 0; nth < 10; nth += 1) {
          const label = `cut ${writer}.${nth}`
          if (cuts === 0 && acknowledged.length >= 20) cuts = cut()
          try {
            acknowledged.push(await change('cut', adding(label, [event(label)])))
          } catch {
            failures += 1
            await expect.poll(() => isReached(documents), eventually).toBe(true)
          }
        }
      }
      await Promise.all([0, 1, 2, 3, 4].map(write))
      expect(cuts).toBeGreaterThan(0)
      const parts = (await one.get('cut'))?.doc.parts ?? []
      expect(parts).toEqual(expect.arrayContaining(acknowledged))
      expect(new Set(parts).size).toBe(parts.length)
      expect(parts.length).toBeLessThanOrEqual(acknowledged.length + failures)
      expect(await pendingOf('cut')).toEqual(parts)
    })
  })
}

const isReached = (documents: Things): Promise<boolean> =>
  documents.get('cut').then(
    () => true,
    () => false,
  )
