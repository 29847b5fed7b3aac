import { type Memory, maxMemories, memoryInternalRoutes, memoryRoutes } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { newId } from '@parley/kit'
import {
  type ApiCaller,
  adminPrincipal,
  guestPrincipal,
  keyPrincipal,
  servicePrincipal,
  testLog,
  userPrincipal,
} from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { textKey } from '../src/account.ts'
import { newAccount } from '../src/store/documents.ts'
import { type GivenMemory, givenMemory } from './given-memory.ts'

let given: GivenMemory
let me: ApiCaller
let userId: string
beforeAll(async () => {
  given = await givenMemory(2)
})
afterAll(() => given.stop())
beforeEach(() => {
  const user = given.user()
  userId = user.userId
  me = user.api
})

const add = async (text: string, more: object = {}, api = me): Promise<Memory> => {
  const { status, body } = await api.post('/api/memory', { text, ...more })
  expect(status).toBe(201)
  return (body as { memory: Memory }).memory
}
const list = async (query = '', api = me): Promise<Memory[]> =>
  ((await api.get(`/api/memory${query}`)).body as { items: Memory[] }).items
const texts = async (query = '', api = me) => (await list(query, api)).map(({ text }) => text)
const relevant = async (message: string, of = userId, maxTokens = 1_000) => {
  const body = { userId: of, message, maxTokens }
  const answer = await given.api.as(servicePrincipal('chat')).call(memoryInternalRoutes.relevant, { body })
  return answer.body.memories.map(({ text }) => text)
}
/** Inserts many memories, bypassing the routes. */
const givenMany = async (count: number, textOf: (nth: number) => string): Promise<void> => {
  const at = new Date().toISOString()
  const fixed = { ownerId: userId, category: 'general', confidence: 'high', reason: null, source: null, merges: [] }
  const docs = Array.from({ length: count }, (_, nth) => {
    return { id: newId(), ...fixed, text: textOf(nth), createdAt: at, updatedAt: at, lastUsedAt: null, history: [] }
  })
  const stored = Object.fromEntries(docs.map(({ id, text }) => [textKey(text), id]))
  const { pool, close } = openPostgres({ url: given.url, schema: 'memory', log: testLog })
  const many = "select given ->> 'id', 1, given - 'id' from jsonb_array_elements($1::jsonb) as given"
  await pool.query(`insert into memories (id, version, doc) ${many}`, [JSON.stringify(docs)])
  const account = JSON.stringify({ ...newAccount(userId), stored })
  await pool.query(`insert into memory_accounts (id, version, doc) values ($1, 1, $2::jsonb - 'id')`, [userId, account])
  await close()
}

describe('a memory', () => {
  it('is stored with every field, and the same text again returns the existing one', async () => {
    const source = { chatId: newId(), messageId: newId() }
    const memory = await add('  I live in Bristol. ', { category: 'location', source })
    expect(memory).toEqual({
      id: expect.stringMatching(/^[\w-]{20,64}$/),
      text: 'I live in Bristol.',
      category: 'location',
      confidence: 'high',
      status: 'stored',
      source,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: memory.createdAt,
      lastUsedAt: null,
    })
    const again = await me.post('/api/memory', { text: 'i live  in bristol' })
    expect([again.status, again.body]).toEqual([200, { memory }])
    expect(await list()).toEqual([memory])
  })

  it('is added once by 50 equal concurrent requests to two replicas', async () => {
    const principal = userPrincipal()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        (given.replicas[nth % 2] ?? given).api.as(principal).post('/api/memory', { text: 'Only once' }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(49).fill(200), 201])
    expect(new Set(answers.map(({ body }) => (body as { memory: Memory }).memory.id)).size).toBe(1)
    expect(await list('', given.api.as(principal))).toHaveLength(1)
  })

  it('is edited with its history, but not to the text of another one', async () => {
    const { id } = await add('I like tea')
    const other = await add('I like coffee')
    const edited = await me.patch(`/api/memory/${id}`, { text: 'I like green tea', category: 'preference' })
    expect(edited.body).toMatchObject({ memory: { id, text: 'I like green tea', category: 'preference' } })
    await me.patch(`/api/memory/${id}`, { text: 'I like black tea' })
    const { items } = (await me.get(`/api/memory/${id}/history`)).body as { items: object[] }
    expect(items).toMatchObject([
      { text: 'I like green tea', category: 'preference' },
      { text: 'I like tea', category: 'general' },
    ])
    expect((await me.patch(`/api/memory/${id}`, { text: 'I like coffee.' })).status).toBe(409)
    expect(await texts()).toEqual(['I like coffee', 'I like black tea'])
    expect((await me.post('/api/memory', { text: 'I like tea' })).status).toBe(201)
    expect(other.text).toBe('I like coffee')
  })

  it('is deleted, restored, and forgotten for good', async () => {
    const { id, text } = await add('My dog is called Biscuit')
    expect((await me.delete(`/api/memory/${id}`)).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await me.delete(`/api/memory/${id}`)).status).toBe(404)
    expect((await me.get(`/api/memory/${id}/history`)).status).toBe(404)
    expect((await me.post(`/api/memory/${id}/restore`)).body).toMatchObject({ memory: { id, text } })
    expect(await texts()).toEqual([text])
    expect((await me.delete(`/api/memory/${id}?forever=true`)).status).toBe(204)
    expect((await me.post(`/api/memory/${id}/restore`)).status).toBe(404)
    expect((await me.delete(`/api/memory/${id}?forever=true`)).status).toBe(404)
    expect(await given.stores.memories.find(userId, id)).toBeUndefined()
    expect((await me.get('/api/memory/profile')).text).not.toContain('Biscuit')
  })

  it('is not restored if a new one has the same text', async () => {
    const { id } = await add('Once')
    await me.delete(`/api/memory/${id}`)
    await add('Once')
    expect((await me.post(`/api/memory/${id}/restore`)).status).toBe(409)
  })

  it('is cleared and restored with all others, and nothing is restored without a clear', async () => {
    expect((await me.post('/api/memory/restore')).body).toEqual({ restored: 0 })
    await Promise.all(['One', 'Two', 'Three'].map((text) => add(text)))
    const { id } = await add('Deleted before')
    await me.delete(`/api/memory/${id}`)
    expect((await me.delete('/api/memory')).body).toEqual({ cleared: 3 })
    expect(await list()).toEqual([])
    expect((await me.delete('/api/memory')).body).toEqual({ cleared: 0 })
    expect((await me.post('/api/memory/restore')).body).toEqual({ restored: 3 })
    expect((await texts()).sort()).toEqual(['One', 'Three', 'Two'])
    expect((await me.post('/api/memory/restore')).body).toEqual({ restored: 0 })
  })

  it.each([
    ['an empty text', { text: ' ' }],
    ['a text of 2,001 characters', { text: 'x'.repeat(2_001) }],
    ['a text with NUL', { text: 'a\u0000b' }],
    ['no text', {}],
    ['an unknown category', { text: 'a', category: 'secret' }],
    ['an unknown field', { text: 'a', confidence: 'high' }],
  ])('is refused with %s (400)', async (_what, body) => {
    const { status, body: answer } = await me.post('/api/memory', body)
    expect([status, (answer as { code: string }).code]).toEqual([400, 'validation_failed'])
    expect(await list()).toEqual([])
  })

  it.each(['🙂', 'ÀÉÎ 漢字 العربية', '<script>alert(1)</script>', "'; drop table memories; --", 'x'.repeat(2_000)])(
    'keeps the text %j unchanged',
    async (text) => {
      await add(text)
      expect(await texts()).toEqual([text])
    },
  )
})

describe('the list', () => {
  it('is paged newest first, and cursors yield each memory once', async () => {
    for (let nth = 1; nth <= 7; nth += 1) await add(`Memory ${nth}`)
    const paged: string[] = []
    let cursor: string | null = ''
    do {
      const path: string = `/api/memory?limit=3${cursor && `&cursor=${cursor}`}`
      const { items, nextCursor } = (await me.get(path)).body as { items: Memory[]; nextCursor: string | null }
      expect(items.length).toBeLessThanOrEqual(3)
      paged.push(...items.map(({ text }) => text))
      cursor = nextCursor
    } while (cursor !== null)
    expect(paged).toEqual([7, 6, 5, 4, 3, 2, 1].map((nth) => `Memory ${nth}`))
    expect((await me.get('/api/memory?cursor=nonsense')).status).toBe(400)
    expect((await me.get('/api/memory?limit=201')).status).toBe(400)
  })

  it('is searched for all words, ignoring case and accents, and filtered', async () => {
    const source = { chatId: newId(), messageId: newId() }
    await add('Ich mag Müsli am Morgen', { category: 'preference', source })
    await add('I run in the morning', { category: 'temporal' })
    expect(await texts('?query=MORGEN%20musli')).toEqual(['Ich mag Müsli am Morgen'])
    expect(await texts('?query=morn')).toEqual(['I run in the morning'])
    expect(await texts('?category=preference')).toEqual(['Ich mag Müsli am Morgen'])
    expect(await texts('?source=own')).toEqual(['I run in the morning'])
    expect(await texts('?source=chat&query=run')).toEqual([])
    expect(await texts('?confidence=low')).toEqual([])
    expect((await me.get('/api/memory?category=secret')).status).toBe(400)
  })

  it(`holds at most ${maxMemories} memories (409), and a message still finds the relevant one`, async () => {
    await givenMany(maxMemories, (nth) => (nth === 17 ? 'My boat is called Albatross' : `Fact number ${nth} of many`))
    const refused = await me.post('/api/memory', { text: 'One too many' })
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([409, 'conflict'])
    expect((await me.post('/api/memory', { text: 'Fact number 40 of many' })).status).toBe(200)
    expect((await relevant('Where is the Albatross?'))[0]).toBe('My boat is called Albatross')
    expect((await me.delete('/api/memory')).body).toEqual({ cleared: maxMemories })
    expect(await relevant('Where is the Albatross?')).toEqual([])
    await add('There is room again')
    expect((await me.post('/api/memory/restore')).body).toEqual({ restored: maxMemories - 1 })
  })
})

describe('an exported file', () => {
  const importAll = async (memories: readonly unknown[], more: object = {}, api = me) =>
    (await api.post('/api/memory/import', { memories, ...more })).body
  const came = { imported: 0, known: 0, removed: 0, full: 0, faults: [] }

  it('is imported into another account once with its times, even if repeated after edits there', async () => {
    await add('I live in Bristol', { category: 'location', source: { chatId: newId(), messageId: newId() } })
    await add('I like tea')
    const file = await list()
    const other = given.user().api
    expect(await importAll(file, {}, other)).toEqual({ ...came, imported: 2 })
    const there = await list('', other)
    const essence = ({ text, category, createdAt }: Memory) => [text, category, createdAt]
    expect(there.map(essence)).toEqual(file.map(essence))
    expect(there.map(({ id }) => id)).not.toEqual(file.map(({ id }) => id))
    const [tea] = there
    await other.patch(`/api/memory/${tea?.id}`, { text: 'I like green tea' })
    expect(await importAll([...file, ...file], {}, other)).toEqual({ ...came, known: 4 })
    const third = given.user().api
    await importAll(
      file.map((entry) => ({ ...entry, createdAt: '2100-01-01T00:00:00.000Z' })),
      {},
      third,
    )
    expect((await list('', third)).map(({ createdAt }) => createdAt > '2100')).toEqual([false, false])
    expect(await texts('', other)).toEqual(['I like green tea', 'I live in Bristol'])
    expect(await texts()).toEqual(['I like tea', 'I live in Bristol'])
  })

  it('adds its entries once when imported concurrently at two replicas, and skips existing texts', async () => {
    const { api, at } = given.user()
    await add('I like tea', {}, api)
    const file = ['One', 'Two', 'i like  tea.'].map((text) => ({ text }))
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, nth) => importAll(file, {}, at(nth % 2))))
    const counts = outcomes.map((outcome) => (outcome as { imported: number }).imported)
    expect(counts.reduce((sum, count) => sum + count)).toBe(2)
    expect((await texts('', api)).sort()).toEqual(['I like tea', 'One', 'Two'])
  })

  it('restores nothing that was deleted, cleared or forgotten, unless requested', async () => {
    const [deleted, forgotten] = [await add('Deleted'), await add('Forgotten')]
    await add('Cleared')
    const file = await list()
    await me.delete(`/api/memory/${deleted.id}`)
    await me.delete(`/api/memory/${forgotten.id}?forever=true`)
    await me.delete('/api/memory')
    expect(await importAll(file)).toEqual({ ...came, removed: 3 })
    expect(await list()).toEqual([])
    expect(await importAll(file, { includeRemoved: true })).toEqual({ ...came, imported: 3 })
    expect((await texts()).sort()).toEqual(['Cleared', 'Deleted', 'Forgotten'])
    expect(await importAll(file, { includeRemoved: true })).toEqual({ ...came, known: 3 })
  })

  it("is imported without its invalid entries, whose errors are in the caller's language", async () => {
    const file = [
      { text: 'Fine' },
      { text: 'Long. '.repeat(1_707) },
      'no memory',
      { text: ' ' },
      { text: 'Perhaps', status: 'pending' },
    ]
    const german = { headers: { 'accept-language': 'de-CH' } }
    const { status, body } = await me.post('/api/memory/import', { memories: file }, german)
    const at = (entry: number, path: string, message: unknown) => ({ entry, path, message })
    expect([status, body]).toEqual([
      200,
      {
        ...came,
        imported: 1,
        faults: [
          at(2, 'text', 'Höchstens 2000 Zeichen'),
          at(3, 'entry', expect.stringMatching(/^Ungültige Eingabe/)),
          at(4, 'text', 'Darf nicht leer sein'),
          at(5, 'status', 'Ein Vorschlag wird nicht importiert'),
        ],
      },
    ])
    expect(await texts()).toEqual(['Fine'])
    for (const memories of [{}, Array.from({ length: 501 }, (_, nth) => ({ text: `${nth}` }))]) {
      expect((await me.post('/api/memory/import', { memories })).status).toBe(400)
    }
  })

  it('is imported up to the limit of memories, and the rest is counted', async () => {
    await givenMany(maxMemories - 1, (nth) => `Fact number ${nth} of many`)
    expect(await importAll(['One', 'Two', 'Three'].map((text) => ({ text })))).toEqual({
      ...came,
      imported: 1,
      full: 2,
    })
  })

  it('decides a suggestion of the same text', async () => {
    await given.said(userId, 'I live in Lisbon with two cats.')
    const waiting = async () => ((await me.get('/api/memory/suggestions')).body as { items: Memory[] }).items
    await expect.poll(async () => (await waiting()).length).toBe(1)
    expect(await importAll([{ text: 'I live in Lisbon with two cats.' }])).toEqual({ ...came, imported: 1 })
    expect(await waiting()).toEqual([])
  })
})

describe("another user's memory", () => {
  it('looks missing to other users and admins', async () => {
    const { id } = await add('A secret of mine')
    for (const caller of [given.user().api, given.api.as(adminPrincipal())]) {
      for (const call of [
        (of: string) => caller.patch(`/api/memory/${of}`, { text: 'Mine now' }),
        (of: string) => caller.get(`/api/memory/${of}/history`),
        (of: string) => caller.delete(`/api/memory/${of}`),
        (of: string) => caller.delete(`/api/memory/${of}?forever=true`),
        (of: string) => caller.post(`/api/memory/${of}/restore`),
        (of: string) => caller.post(`/api/memory/suggestions/${of}/approve`, {}),
        (of: string) => caller.post(`/api/memory/suggestions/${of}/dismiss`),
      ]) {
        const [foreign, missing] = [await call(id), await call(newId())]
        expect([foreign.status, { ...(foreign.body as object), requestId: '' }]).toEqual([
          404,
          { ...(missing.body as object), requestId: '' },
        ])
      }
      expect(await list('', caller)).toEqual([])
    }
    expect(await texts()).toEqual(['A secret of mine'])
  })

  it('is refused to guests, keys and banned users by every route', async () => {
    const callers = [
      [given.api.as(guestPrincipal()), 401, 'unauthenticated'],
      [given.api.as(keyPrincipal()), 401, 'unauthenticated'],
      [given.api.as(userPrincipal({ rights: { isBanned: true } })), 403, 'account_banned'],
    ] as const
    for (const [caller, status, code] of callers) {
      for (const { method, path } of Object.values(memoryRoutes)) {
        const answer = await caller.send(method, `/api${path.replace(':id', 'some')}`)
        expect([answer.status, (answer.body as { code: string }).code], `${method} ${path}`).toEqual([status, code])
      }
    }
  })

  it("is never in another user's prompt", async () => {
    await add('I am allergic to peanuts')
    expect(await relevant('peanuts', given.user().userId)).toEqual([])
  })
})

describe('the memories relevant to a message', () => {
  it('share rare words with it in any form, then come the latest, within the token budget', async () => {
    await add('I am allergic to peanuts')
    for (let nth = 0; nth < 15; nth += 1) await add(`Unrelated fact ${nth}`)
    expect((await relevant('Are there allergies to plan the dinner for?'))[0]).toBe('I am allergic to peanuts')
    const found = await relevant('Are there allergies?')
    expect(found.slice(1)).toEqual(Array.from({ length: 10 }, (_, nth) => `Unrelated fact ${14 - nth}`))
    expect(await relevant('Are there allergies?', userId, 9)).toEqual(['I am allergic to peanuts'])
  })

  it.each([
    ['我对花生过敏。', '花生可以吃吗'],
    ['ピーナッツアレルギーがあります。', 'アレルギーのない料理は'],
    ['لدي حساسية من الفول السوداني', 'وصفة بالفول السوداني'],
  ])('are found in languages without spaces or with articles: %s', async (text, message) => {
    await add(text)
    for (let nth = 0; nth < 12; nth += 1) await add(`Unrelated fact ${nth}`)
    expect((await relevant(message))[0]).toBe(text)
  })

  it('reflect edits and deletions on another replica at once', async () => {
    const { id } = await add('My car is red')
    expect(await relevant('car')).toEqual(['My car is red'])
    const principal = userPrincipal({ userId })
    const elsewhere = (given.replicas[1] ?? given).api.as(principal)
    await elsewhere.patch(`/api/memory/${id}`, { text: 'My car is blue' })
    expect(await relevant('car')).toEqual(['My car is blue'])
    await elsewhere.delete(`/api/memory/${id}`)
    expect(await relevant('car')).toEqual([])
    await elsewhere.post(`/api/memory/${id}/restore`)
    await elsewhere.patch('/api/memory/settings', { enabled: false })
    expect(await relevant('car')).toEqual([])
  })
})

it('adding the same text again repairs a crash between writing the account and the text', async () => {
  const { id } = await add('Half written')
  const { pool, close } = openPostgres({ url: given.url, schema: 'memory', log: testLog })
  await pool.query('delete from memories where id = $1', [id])
  await close()
  expect(await list()).toEqual([])
  const again = await me.post('/api/memory', { text: 'Half written' })
  expect([again.status, (again.body as { memory: Memory }).memory.id]).toEqual([200, id])
  expect(await texts()).toEqual(['Half written'])
  expect(textKey('A  b.')).toBe(textKey('a B'))
})
