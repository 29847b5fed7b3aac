import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, guestPrincipal, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { echo, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'
import { picture } from './sample-files.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  given.router.script = echo
  chat = await given.replica({ timing: { restoreMs: 200 } })
})
afterAll(() => given.stop())
beforeEach(async () => {
  me = chat.api.as(userPrincipal())
  await limit(10_000, 1_000_000_000)
})

let version = 1
/** Has the admin bound what an account may keep. */
async function limit(maxChatsPerUser: number, maxBytesPerUser: number): Promise<void> {
  given.auth.settings.storage = { maxChatsPerUser, maxBytesPerUser }
  version += 1
  await given.signal.publish('settings-changed', { version })
  const bounds = { chats: { limit: maxChatsPerUser || null }, bytes: { limit: maxBytesPerUser || null } }
  await untilPasses(async () => expect(await usage()).toMatchObject(bounds))
}
const usage = async () => (await me.call(chatRoutes.usage)).body
const create = (title: string) => me.post('/api/chat/history', { title, model: 'v3' })
const exported = (title: string) => ({
  format: 'parley-chat',
  version: 1,
  chat: { id: title, title },
  messages: [{ id: `${title} 1`, role: 'user', content: `Say ${title}` }],
})

it('a user reads the used and the allowed storage of the account, and no limit where there is none', async () => {
  const { start } = await send(me, message('Grüße'))
  const bytes = Buffer.byteLength('Grüße') + Buffer.byteLength('You said: Grüße')
  expect(await usage()).toEqual({
    chats: { used: 1, limit: 10_000 },
    bytes: { used: bytes, limit: 1_000_000_000 },
  })
  const { attachment } = (
    await me.call(chatRoutes.upload, { raw: await picture('png'), headers: { 'x-file-name': 'a.png' } })
  ).body as unknown as { attachment: { size: number } }
  expect((await usage()).bytes.used).toBe(bytes + attachment.size)
  await me.call(chatRoutes.remove, { params: { id: start.chatId } })
  await untilPasses(async () =>
    expect(await usage()).toMatchObject({ chats: { used: 0 }, bytes: { used: attachment.size } }),
  )
  await limit(0, 0)
  expect(await usage()).toMatchObject({ chats: { limit: null }, bytes: { limit: null } })
  await send(me, message('Without a bound'))
})

it('no account gets more chats than it may keep, however many are created at once, until some are deleted (409)', async () => {
  await limit(3, 0)
  const { start } = await send(me, message('First'))
  const made = await Promise.all(Array.from({ length: 10 }, (_none, nth) => create(`Chat ${nth}`)))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(2)
  const refused = made.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(8)
  expect(refused[0]?.body).toMatchObject({ code: 'conflict', error: expect.stringMatching(/have 3 chats.*delete/) })
  expect(await me.post('/api/chat', message('A new one'))).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await send(me, message('Into the old one', { chatId: start.chatId }))
  await me.call(chatRoutes.remove, { params: { id: start.chatId } })
  expect((await create('Instead')).status).toBe(201)
  await limit(5, 0)
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_none, nth) => me.post('/api/chat', message(`At once ${nth}`))),
  )
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409])
  expect((await usage()).chats.used).toBe(5)
})

it('an import fills the account to its limit, keeps the imported chats, and continues once there is room', async () => {
  const file = Array.from({ length: 20 }, (_none, nth) => exported(`Chat ${nth}`))
  for (const [most, imported] of [
    [3, 3],
    [12, 9],
  ] as const) {
    await limit(most, 0)
    expect(await me.post('/api/chat/import', file)).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: expect.stringContaining(`${imported} chats of this file had been imported`) },
    })
    expect((await usage()).chats.used).toBe(most)
  }
  await limit(20, 0)
  expect(await me.post('/api/chat/import', file)).toMatchObject({ status: 200, body: { imported: 8, skipped: 12 } })
  // All of them are there: nothing needs room.
  expect(await me.post('/api/chat/import', file)).toMatchObject({ status: 200, body: { imported: 0, skipped: 20 } })
})

it('a full account refuses messages and files with advice (413), until chats are deleted', async () => {
  const { start } = await send(me, message('x'.repeat(1_000)))
  await limit(0, 900)
  const full = { status: 413, body: { code: 'payload_too_large', error: expect.stringMatching(/full.*delete/s) } }
  expect(await me.post('/api/chat', message('More'))).toMatchObject(full)
  expect(await me.post('/api/chat', message('More', { chatId: start.chatId }))).toMatchObject(full)
  expect(await me.post('/api/chat/import', exported('More'))).toMatchObject(full)
  const upload = { raw: await picture('png'), headers: { 'x-file-name': 'a.png' } }
  expect(await me.send('POST', '/api/chat/files', upload)).toMatchObject(full)
  const merged = { chatId: start.chatId, model: 'v3', messages: [{ id: 'more', role: 'user', content: 'More' }] }
  expect(await me.send('PUT', '/api/chat/history', { body: merged })).toMatchObject(full)
  given.router.models.set('painter', modelInfo({ id: 'painter', modelType: 'image' }))
  const image = { prompt: 'A picture', model: 'painter', chatId: start.chatId }
  expect(await me.post('/api/chat/image', image)).toMatchObject(full)
  // What is there can be read and a repeat joined; a guest keeps nothing.
  expect((await me.call(chatRoutes.get, { params: { id: start.chatId } })).body.messages).toHaveLength(2)
  await send(chat.api.as(guestPrincipal({ network: '4:203.0.113.77' })), message('From a guest'))
  await me.call(chatRoutes.remove, { params: { id: start.chatId } })
  await untilPasses(async () => expect((await usage()).bytes.used).toBe(0))
  await send(me, message('There is room again'))
})
