import { chatRoutes } from '@parley/contracts'
import { tinyPng, untilPasses } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSystem, type Person, type System } from '../src/system.ts'

let system: System
beforeAll(async () => {
  system = await openSystem()
})
afterAll(() => system.close())

const usage = async ({ api }: Person) => (await api.call(chatRoutes.usage)).body
const create = ({ api }: Person, title: string) => api.post('/api/chat/history', { title, model: 'v3' })

/** Sets the limits of an account as the admin, and waits until they apply. */
async function limit(person: Person, maxChatsPerUser: number, maxBytesPerUser: number): Promise<void> {
  const storage = { maxChatsPerUser, maxBytesPerUser }
  expect(await system.admin.api.patch('/api/admin/settings', { storage })).toMatchObject({ status: 200 })
  const bounds = { chats: { limit: maxChatsPerUser }, bytes: { limit: maxBytesPerUser } }
  await untilPasses(async () => expect(await usage(person)).toMatchObject(bounds))
}

it('an account cannot create more chats than the admin allows (409), and lists its chats by pages', async () => {
  const person = await system.person()
  await limit(person, 3, 1_000_000)
  const made = await Promise.all(Array.from({ length: 9 }, (_none, nth) => create(person, `Chat ${nth}`)))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(6).fill(409)])
  expect(made.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'conflict',
    error: expect.stringMatching(/have 3 chats.*delete/),
  })
  expect((await usage(person)).chats).toEqual({ used: 3, limit: 3 })
  const first = await person.api.get('/api/chat/history?limit=2')
  expect(first.body).toHaveLength(2)
  const cursor = encodeURIComponent(String(first.headers['x-next-cursor']))
  const rest = await person.api.get(`/api/chat/history?limit=2&cursor=${cursor}`)
  expect(rest.body).toHaveLength(1)
  expect(rest.headers).not.toHaveProperty('x-next-cursor')
})

it('an account cannot store more bytes than the admin allows (413), and its profile shows the use', async () => {
  const person = await system.person()
  const file = { raw: Buffer.from(tinyPng, 'base64'), headers: { 'x-file-name': 'a.png' } }
  const { attachment } = (await person.api.call(chatRoutes.upload, file)).body as unknown as {
    attachment: { size: number }
  }
  await limit(person, 10, attachment.size)
  expect(await usage(person)).toMatchObject({ bytes: { used: attachment.size, limit: attachment.size } })
  const full = { status: 413, body: { code: 'payload_too_large', error: expect.stringMatching(/full.*delete/s) } }
  const another = { raw: Buffer.from('Other words'), headers: { 'x-file-name': 'a.txt' } }
  expect(await person.api.call(chatRoutes.upload, another)).toMatchObject(full)
  expect(await person.api.post('/api/chat', { message: 'More', model: 'v3' })).toMatchObject(full)
  expect((await usage(person)).bytes.used).toBe(attachment.size)
})
