import { chatRoutes } from '@parley/contracts'
import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger, newId } from '@parley/kit'
import { type ApiCaller, readEvents, testEvent, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { echo, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'
import { dataUrl, picture } from './sample-files.ts'

let given: GivenChat
let chat: Replica
let other: Replica
let tables: PostgresDatabase<unknown>
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  other = await given.replica()
  tables = openPostgres({ url: given.url, schema: 'chat', log: createLogger('test', 'silent') })
  given.router.models.set('painter', modelInfo({ id: 'painter', modelType: 'image', creditsPerMessage: 4 }))
  given.router.models.set('seer', modelInfo({ id: 'seer', provider: 'openai', supportsImageAttachments: true }))
})
afterAll(async () => {
  await tables.close()
  await given.stop()
})
beforeEach(() => {
  given.router.script = echo
})

/** Tables of chat in which a text is found. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await tables.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'chat'`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await tables.pool.query(`select from ${name} as t where strpos(t::text, $1) > 0 limit 1`, [text])
    if (hits.rows.length > 0) found.push(name)
  }
  return found.sort()
}

async function erased(userId: string): Promise<void> {
  const erasureId = newId()
  await given.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })])
  await expect.poll(() => given.auth.erased).toContain(erasureId)
}

async function givenChats(caller: ApiCaller): Promise<void> {
  const attachments = [{ dataUrl: dataUrl(await picture('png')), name: 'a.png' }]
  const { start } = await send(caller, message('Look', { attachments, model: 'seer', clientMessageId: newId() }))
  await send(caller, message('And then', { chatId: start.chatId }))
  const removed = await send(caller, message('Not this'))
  await caller.call(chatRoutes.remove, { params: { id: removed.start.chatId } })
  await caller.put('/api/finance/watchlist', { symbols: ['AAPL'] })
  await chat.stores.search.index(new Date(Date.now() + 60_000))
}

it("the data of a deleted user is erased, and no other user's", async () => {
  const [ann, bob] = [userPrincipal(), userPrincipal()]
  for (const principal of [ann, bob]) await givenChats(chat.api.as(principal))
  const all = ['chats', 'files', 'messages', 'search_segments', 'sends', 'watchlists']
  expect(await tablesWith(ann.userId)).toEqual(expect.arrayContaining(all))
  await erased(ann.userId)
  await expect.poll(() => tablesWith(ann.userId)).toEqual([])
  await erased(ann.userId)
  expect(await tablesWith(bob.userId)).toEqual(expect.arrayContaining(all))
  const { body } = await chat.api.as(bob).call(chatRoutes.history)
  expect(body).toHaveLength(1)
})

it('erasing a user stops the running answer, and an answer that ends later restores nothing', async () => {
  const ann = userPrincipal()
  const aborted: boolean[] = []
  given.router.script = async (call) => {
    call.start()
    call.text('One ')
    await expect.poll(call.aborted).toBe(true)
    aborted.push(true)
  }
  const answer = await other.api.as(ann).stream(chatRoutes.send, { body: message('Count') })
  const events = readEvents(answer)
  await events.next()
  await erased(ann.userId)
  for await (const _event of events);
  await expect.poll(() => aborted).toEqual([true])
  await expect.poll(() => tablesWith(ann.userId)).toEqual([])
})

it('a request begun before an erasure that ends after it is refused (404) and stores nothing', async () => {
  const ann = userPrincipal()
  const caller = chat.api.as(ann)
  given.router.paint = () => undefined
  given.router.images.length = 0
  const making = caller.call(chatRoutes.image, { body: { prompt: 'A cat', model: 'painter' } })
  await expect.poll(() => given.router.images.length).toBe(1)
  await erased(ann.userId)
  given.router.images[0]?.answer({ data: await picture('png') })
  expect((await making).status).toBeGreaterThanOrEqual(400)
  const late = await caller.stream(chatRoutes.send, { body: message('Too late') })
  expect(late.status).toBe(404)
  await late.body.dump()
  expect((await caller.put('/api/finance/watchlist', { symbols: ['AAPL'] })).status).toBe(404)
  await expect.poll(() => tablesWith(ann.userId)).toEqual([])
})
