import { chatRoutes } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { type ApiCaller, testLog, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
const replicas: Record<string, Replica> = {}
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  given.router.script = echo
  replicas.waiting = await given.replica()
})
afterAll(() => given.stop())

const search = async (query: string) => (await me.call(chatRoutes.history, { query: { query } })).body

describe.each([
  ['lately', 600_000],
  ['long ago', -1_000],
])('a message written %s', (_when, searchAfterMs) => {
  let chat: Replica
  beforeAll(async () => {
    for (const each of Object.values(replicas)) await each.stop()
    chat = await given.replica({ timing: { searchAfterMs } })
    replicas[_when] = chat
  })
  beforeEach(() => {
    me = chat.api.as(userPrincipal())
  })

  it('is found in titles and messages, with the message and the text around it', async () => {
    const { start } = await send(me, message('Wo ist der GRÜNE Apfel?', { title: 'Obst' }))
    const titled = await send(me, message('Etwas anderes', { title: 'Grüner Tee' }))
    const expected = [
      { _id: titled.start.chatId, title: 'Grüner Tee' },
      { _id: start.chatId, match: { messageId: start.userMessageId, snippet: 'Wo ist der GRÜNE Apfel?' } },
    ]
    await expect.poll(async () => await search('grüne')).toMatchObject(expected)
    expect((await search('grüne'))[0]?.match).toBeUndefined()
    for (const nothing of ['%%%%', '_', '.*', '(', '\\', 'grüne_apfel']) expect(await search(nothing)).toEqual([])
    expect(await search('  ')).toHaveLength(2)
    await me.call(chatRoutes.remove, { params: { id: start.chatId } })
    expect((await search('grüne')).map(({ _id }) => _id)).toEqual([titled.start.chatId])
    me = chat.api.as(userPrincipal())
    expect(await search('grüne')).toEqual([])
  })

  it('is found in writing systems without spaces', async () => {
    const { start } = await send(me, message('東京の天気はどうですか'))
    for (const words of ['天', '天気', '京の天気']) {
      await expect.poll(async () => (await search(words)).map(({ _id }) => _id)).toEqual([start.chatId])
    }
  })
})

it('a query that is too long is refused', async () => {
  me = (replicas['long ago'] as Replica).api.as(userPrincipal())
  const refused = await me.get(`/api/chat/history?query=${'x'.repeat(10_240)}`)
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  expect(await search('_'.repeat(200))).toEqual([])
})

it('the first of the messages that contain the words is shown, whichever order they were indexed in', async () => {
  for (const each of Object.values(replicas)) await each.stop()
  const chat = await given.replica()
  replicas.first = chat
  me = chat.api.as(userPrincipal())
  const indexAll = async () => {
    while ((await chat.stores.search.index(new Date(Date.now() + 60_000))) > 0);
  }
  const firsts = []
  for (let nth = 0; nth < 6; nth += 1) {
    const { start } = await send(me, message('Der erste Kiesel', { title: 'Strand' }))
    await indexAll()
    await send(me, message('Ein zweiter Kiesel', { chatId: start.chatId }))
    await indexAll()
    firsts.unshift(start.userMessageId)
  }
  expect((await search('kiesel')).map(({ match }) => match?.messageId)).toEqual(firsts)
})

it('a message that is put into the index during a search is found', async () => {
  for (const each of Object.values(replicas)) await each.stop()
  const chat = await given.replica()
  me = chat.api.as(userPrincipal())
  const { start } = await send(me, message('Eine Nadel im Heuhaufen', { title: 'Hof' }))
  while ((await chat.stores.search.index(new Date(Date.now() + 60_000))) > 0);
  const tables = openPostgres({ url: given.url, schema: 'chat', log: testLog })
  await tables.pool.query('drop table if exists parked')
  const { rowCount } = await tables.pool.query('create table parked as table search_segments')
  expect(rowCount).toBeGreaterThan(0)
  await tables.pool.query('delete from search_segments')
  await tables.pool.query('update messages set search_pending = true')
  // What indexing does, held up before its commit.
  const indexing = await tables.pool.connect()
  let searching: ReturnType<typeof search>
  try {
    await indexing.query('begin')
    await indexing.query('lock table messages in access exclusive mode')
    await indexing.query('insert into search_segments table parked')
    await indexing.query('update messages set search_pending = false')
    searching = search('nadel')
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%over (order by%'`
    await expect.poll(async () => (await tables.pool.query(waiting)).rowCount).toBe(1)
  } finally {
    await indexing.query('commit')
    indexing.release()
  }
  expect((await searching).map(({ _id }) => _id)).toEqual([start.chatId])
  await tables.close()
})

it('a search that the store does not answer in time is refused (503), and the next one is answered', async () => {
  const stores = openPgChatStores({ url: given.url, log: testLog, searchMs: 100 })
  const chat = await given.replica({ stores: () => stores })
  me = chat.api.as(userPrincipal())
  await send(me, message('Ein Kiesel am Strand'))
  const tables = openPostgres({ url: given.url, schema: 'chat', log: testLog })
  for (const table of ['messages', 'search_segments']) {
    const busy = await tables.pool.connect()
    await busy.query('begin')
    await busy.query(`lock table ${table} in access exclusive mode`)
    try {
      expect(await me.get('/api/chat/history?query=kiesel')).toMatchObject({
        status: 503,
        body: { code: 'unavailable', error: expect.stringContaining('took too long') },
        headers: { 'retry-after': expect.any(String) },
      })
    } finally {
      await busy.query('rollback')
      busy.release()
    }
    // A tenth of a second is too short for it on a crowded machine now and then.
    await expect.poll(() => search('kiesel')).toHaveLength(1)
  }
  await tables.close()
  await chat.stop()
  await stores.close()
})
