import { maxDimensions } from '@parley/contracts'
import { openMongo } from '@parley/db/mongo'
import { newId } from '@parley/kit'
import { testDatabase, testLog } from '@parley/testing'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restorableMs, textKey } from '../src/account.ts'
import { type MemoryStores, type MemoryStoresOptions, openMemoryStores } from '../src/store/index.ts'
import type { NewSuggestion } from '../src/store/memory-store.ts'
import { openMongoMemoryStores } from '../src/store/mongo-stores.ts'

interface Engine {
  open(options: Pick<MemoryStoresOptions, 'log' | 'now'>): MemoryStores
  drop(): Promise<void>
}

/** The contract suite of MemoryStore, run on each document engine. */
function memoryStoreContract(name: string, openEngine: () => Promise<Engine>): void {
  describe(`the memory store on ${name}`, () => {
    let engine: Engine
    let stores: MemoryStores
    let other: MemoryStores
    let laterMs = 0
    let owner = ''
    const now = () => new Date(Date.now() + laterMs)
    beforeAll(async () => {
      engine = await openEngine()
      ;[stores, other] = [engine.open({ log: testLog, now }), engine.open({ log: testLog, now })]
      await Promise.all([stores.migrate(), other.migrate()])
    })
    afterAll(async () => {
      await Promise.all([stores.close(), other.close()])
      await engine.drop()
    })
    const memories = () => stores.memories
    const add = async (text: string, at = stores) =>
      await at.memories.add(owner, { text, category: 'general', source: null })
    const listed = async (named: 'stored' | 'pending' = 'stored') =>
      (await memories().list(owner, named, { limit: 100 })).map(({ text }) => text).sort()
    const suggestion = (text: string): NewSuggestion => {
      return { text, category: 'general', confidence: 'medium', reason: 'Said', source: null, merges: [] }
    }
    const given = () => {
      owner = newId()
    }

    it('stores a text once when two replicas add it concurrently', async () => {
      given()
      const added = await Promise.all(Array.from({ length: 20 }, (_, nth) => add('Once', nth % 2 ? stores : other)))
      expect(added.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(added.map(({ memory }) => memory.id)).size).toBe(1)
      expect(await listed()).toEqual(['Once'])
    })

    it('decides a suggestion once when several requests decide it concurrently', async () => {
      given()
      const [one] = await memories().suggest(owner, [suggestion('Perhaps')])
      const id = one?.id ?? ''
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, (_, nth) => (nth % 2 ? stores : other).memories.approve(owner, id, {})),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect([await listed(), await listed('pending')]).toEqual([['Perhaps'], []])
      expect(await memories().suggest(owner, [suggestion('Perhaps.')])).toEqual([])
    })

    it("edits, deletes and restores another replica's memories", async () => {
      given()
      const { memory } = await add('Red')
      await other.memories.edit(owner, memory.id, { text: 'Blue' })
      expect(await memories().find(owner, memory.id)).toMatchObject({ text: 'Blue', history: [{ text: 'Red' }] })
      await memories().remove(owner, memory.id, false)
      expect(await listed()).toEqual([])
      await other.memories.restore(owner, memory.id)
      expect(await listed()).toEqual(['Blue'])
      expect([await memories().clear(owner), await other.memories.restoreCleared(owner)]).toEqual([1, 1])
    })

    it('purges memories deleted 30 days ago, and no later ones', async () => {
      given()
      const [old, young] = [(await add('Old')).memory, (await add('Young')).memory]
      await memories().remove(owner, old.id, false)
      laterMs = restorableMs - 60_000
      await memories().remove(owner, young.id, false)
      laterMs = restorableMs + 60_000
      while ((await memories().tidy()) > 0);
      expect(await memories().find(owner, old.id)).toBeUndefined()
      expect(await memories().find(owner, young.id)).toMatchObject({ text: 'Young' })
      await memories().restore(owner, young.id)
      expect(await listed()).toEqual(['Young'])
      laterMs = 0
    })

    it('purges the memories of more accounts than it reads at once', async () => {
      const old: string[] = []
      for (let nth = 0; nth < 51; nth += 1) {
        given()
        const { memory } = await add('Old')
        await memories().remove(owner, memory.id, false)
        old.push(memory.id)
      }
      laterMs = restorableMs + 60_000
      expect(await memories().tidy()).toBeGreaterThanOrEqual(51)
      expect(await memories().find(owner, old.at(-1) ?? '')).toBeUndefined()
      expect(await memories().tidy()).toBe(0)
      laterMs = 0
    })

    it('leases vector work to one replica at a time, and keeps no vector of edited, removed, cleared or erased memories', async () => {
      given()
      await memories().choose(owner, (settings) => ({ ...settings, semanticMemory: true }))
      const [one, two] = [(await add('One')).memory, (await add('Two')).memory]
      const largest = Buffer.alloc(4 * maxDimensions, 1).toString('base64')
      const make = async (space = 'model') => {
        const claims = await Promise.all([stores.vectors.claim(owner, space), other.vectors.claim(owner, space)])
        const work = claims.find(({ kind }) => kind === 'make')
        if (work?.kind !== 'make') return claims
        const made = work.stale.flatMap(({ id, key }) => (key === null ? [] : [{ id, key, data: largest }]))
        await stores.vectors.keep(owner, space, made)
        await stores.vectors.settle(owner, space, work.stale)
        return claims
      }
      const read = (...ids: string[]) => Array.fromAsync(other.vectors.read(owner, ids))
      const kept = async () => (await read(one.id, two.id)).map(({ id }) => id).sort()
      const both = [one.id, two.id].sort()
      expect(await stores.vectors.due()).toContain(owner)
      expect((await make()).map(({ kind }) => kind).sort()).toEqual(['make', 'nothing'])
      expect([await kept(), await stores.vectors.due()]).toEqual([both, expect.not.arrayContaining([owner])])
      expect((await read(one.id))[0]).toMatchObject({ key: textKey('One'), data: largest })
      expect(await stores.vectors.texts(owner, both)).toEqual(
        new Map([
          [one.id, 'One'],
          [two.id, 'Two'],
        ]),
      )
      expect(await stores.vectors.texts('somebody else', both)).toEqual(new Map())

      await other.memories.edit(owner, one.id, { text: 'Another' })
      expect(await kept()).toEqual([two.id])
      await make()
      await memories().remove(owner, two.id, false)
      expect(await kept()).toEqual([one.id])
      await memories().restore(owner, two.id)
      await make()
      expect(await kept()).toEqual(both)
      await stores.vectors.revive(owner, 'another model')
      await make('another model')
      expect((await read(...both)).map(({ space }) => space)).toEqual(Array(2).fill('another model'))
      await memories().clear(owner)
      expect(await kept()).toEqual([])
      await memories().restoreCleared(owner)
      await make('another model')
      await other.memories.choose(owner, (settings) => ({ ...settings, semanticMemory: false }))
      expect(await kept()).toEqual([])
      expect(await stores.vectors.claim(owner, 'model')).toEqual({ kind: 'unwanted' })
      await stores.vectors.removeUnwanted(owner)
      await memories().choose(owner, (settings) => ({ ...settings, semanticMemory: true }))
      await make()
      await memories().erase(owner)
      expect(await kept()).toEqual([])
    })

    it('keeps nothing of an erased owner, not even from writes that finish afterwards', async () => {
      given()
      const { memory } = await add('Mine')
      await memories().suggest(owner, [suggestion('Perhaps')])
      const late = Promise.allSettled(Array.from({ length: 10 }, (_, nth) => add(`Late ${nth}`, other)))
      await memories().erase(owner)
      await late
      await expect(add('Later')).rejects.toMatchObject({ code: 'not_found' })
      expect([await listed(), await listed('pending')]).toEqual([[], []])
      expect(await memories().account(owner)).toBeUndefined()
      expect(await memories().find(owner, memory.id)).toBeUndefined()
    })
  })
}

onEngine('postgres', () =>
  memoryStoreContract('PostgreSQL', async () => {
    const { url, drop } = await testDatabase()
    return { open: (options) => openMemoryStores({ url, ...options }), drop }
  }),
)
onEngine('mongo', () =>
  memoryStoreContract('MongoDB', async () => {
    const url = testMongoUrl()
    return {
      open: (options) => openMongoMemoryStores({ url, ...options }),
      async drop() {
        const database = openMongo({ url, log: testLog })
        await database.connection.dropDatabase()
        await database.close()
      },
    }
  }),
)
