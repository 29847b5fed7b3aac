import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GivenChat, givenChat, type Replica } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  // A removed chat stays until the test purges it.
  chat = await given.replica({ timing: { reconcileMs: 600_000 } })
})
afterAll(() => given.stop())

const file = (...titles: string[]) =>
  titles.map((title) => ({
    format: 'parley-chat',
    version: 1,
    chat: { id: title, title },
    messages: [{ id: `${title} 1`, role: 'user', content: `Say ${title}` }],
  }))

it('an import of chats that are still being deleted asks to come again instead of skipping them (503), and makes the others', async () => {
  const user = userPrincipal()
  const me = chat.api.as(user)
  const bring = async (body: unknown) => await me.call(chatRoutes.importChats, { body })
  const titles = async () => (await me.call(chatRoutes.history)).body.map(({ title }) => title).sort()
  await bring(file('one', 'two'))
  const deleted = (await me.call(chatRoutes.history)).body.find(({ title }) => title === 'one')
  // Too long ago to be restored.
  await chat.stores.chats.remove(user.userId, [deleted?._id ?? ''], new Date(0))
  const refused = await bring(file('one', 'two', 'three'))
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({
    code: 'unavailable',
    error: expect.stringContaining('1 chats of this file had been imported'),
  })
  expect(await titles()).toEqual(['three', 'two'])
  await chat.stores.chats.purge(new Date())
  expect((await bring(file('one', 'two', 'three'))).body).toEqual({ imported: 1, skipped: 2 })
  expect(await titles()).toEqual(['one', 'three', 'two'])
})
