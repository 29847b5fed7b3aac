import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, readChat, send } from './given-chat.ts'

const megabyte = 1024 * 1024
let given: GivenChat
let chat: Replica
let me: ApiCaller
let chatId: string
/** Texts that were read from the store, by the call. */
const reads: number[] = []
/** Outlines that are being read, and the most at once; they are returned once they are `released`. */
const outlines = { running: 0, most: 0, released: Promise.resolve() }
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica({
    stores: (stores) => {
      const { path, findMany, outline } = stores.messages
      const held: typeof outline = async (id) => {
        outlines.running += 1
        outlines.most = Math.max(outlines.most, outlines.running)
        await outlines.released
        outlines.running -= 1
        return await outline(id)
      }
      const messages = { ...stores.messages, path: counted(path), findMany: counted(findMany), outline: held }
      return { ...stores, messages }
    },
  })
  given.router.models.set('wide', modelInfo({ id: 'wide', contextLength: 2_000_000 }))
  me = chat.api.as(userPrincipal())
  await me.call(chatRoutes.importChats, { body: file })
  chatId = (await me.call(chatRoutes.history)).body[0]?._id ?? ''
})
afterAll(() => given.stop())
beforeEach(() => {
  reads.length = 0
  given.router.reset()
})

const counted =
  <Given extends unknown[], Found extends { readonly content: string }>(
    read: (...given: Given) => Promise<readonly Found[]>,
  ) =>
  async (...asked: Given) => {
    const found = await read(...asked)
    reads.push(found.reduce((sum, { content }) => sum + content.length, 0))
    return found
  }

/** Three of its answers have less than a megabyte, four have more. */
const turns = Array.from({ length: 12 }, (_, nth) => [`Question ${nth}`, `Answer ${nth} ${'word '.repeat(60_000)}`])
const texts = turns.flat()
const file = {
  format: 'parley-chat',
  version: 1,
  chat: { id: 'large', title: 'Large', model: 'v3', shown: `m${texts.length - 1}` },
  messages: texts.map((content, nth) => ({
    ...{ id: `m${nth}`, parentId: nth === 0 ? null : `m${nth - 1}`, role: nth % 2 ? 'assistant' : 'user', content },
    createdAt: new Date(Date.UTC(2024, 0, 1) + nth * 1_000),
  })),
}

/** The page of the latest messages, that before its first one, and so on. */
async function pagesBack() {
  const pages = [await readChat(me, chatId, { limit: 200 })]
  for (let last = pages[0]; last?.hasMore; last = pages[0])
    pages.unshift(await readChat(me, chatId, { limit: 200, before: last.messages[0]?.id ?? '' }))
  return pages
}

describe('a chat with more text than is read at once', () => {
  it('comes in pages of fewer messages, which together have each of them once', async () => {
    const pages = await pagesBack()
    const known = (await me.call(chatRoutes.info, { params: { id: chatId } })).body.messages.total
    const all = pages.flatMap(({ messages }) => messages.map(({ content }) => content))
    expect(all).toHaveLength(known)
    expect(all.slice(0, texts.length)).toEqual(texts)
    expect(pages.length).toBeGreaterThanOrEqual(4)
    expect(Math.max(...reads)).toBeLessThan(megabyte)
  })

  it('comes around a message, from where a reader gets on to either end', async () => {
    const whole = (await pagesBack()).flatMap(({ messages }) => messages.map(({ id }) => id))
    const middle = whole[9] ?? ''
    let page = await readChat(me, chatId, { limit: 200, around: middle })
    expect(page).toMatchObject({ hasMore: true, hasNewer: true, shown: true })
    const seen = page.messages.map(({ id }) => id)
    expect(seen).toContain(middle)
    while (page.hasNewer) {
      page = await readChat(me, chatId, { limit: 200, around: seen.at(-1) ?? '' })
      const ids = page.messages.map(({ id }) => id)
      expect(ids).toContain(seen.at(-1))
      seen.push(...ids.slice(ids.indexOf(seen.at(-1) ?? '') + 1))
    }
    expect(seen).toEqual(whole.slice(-seen.length))
    expect(Math.max(...reads)).toBeLessThan(megabyte)
  })

  it('is exported as a whole, and read in parts', async () => {
    for (const format of ['md', 'json'] as const) {
      const { text } = await me.get(`/api/chat/history/${chatId}/export?format=${format}`)
      for (const content of texts) expect(text).toContain(content.trim())
    }
    expect(reads.length).toBeGreaterThanOrEqual(8)
    expect(Math.max(...reads)).toBeLessThan(megabyte)
  })

  it('is read for a prompt only as far as the model can read', async () => {
    await send(me, message('Short?', { chatId }))
    expect(
      given.router.calls
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .slice(1),
    ).toEqual(['Short?'])
    // For the place of the question, and for the prompt.
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(2 * megabyte)
    reads.length = 0
    await send(me, message('Wide?', { chatId, model: 'wide' }))
    const asked = given.router.calls.at(-1)?.body.messages.map(({ content }) => content)
    expect(asked?.slice(1, texts.length + 1)).toEqual(texts)
    expect(asked?.at(-1)).toBe('Wide?')
    expect(Math.max(...reads)).toBeLessThan(megabyte)
  })
})

it('outlines of chats are read two at once, and one of the same chat', async () => {
  const create = async (title: string) =>
    (await me.call(chatRoutes.create, { body: { title, model: 'v3' } })).body.chatId
  const others = await Promise.all(['One', 'Two', 'Three'].map(create))
  const released = Promise.withResolvers<void>()
  Object.assign(outlines, { most: 0, released: released.promise })
  const count = (id: string) => me.call(chatRoutes.info, { params: { id } })
  const same = Promise.all([count(chatId), count(chatId), count(chatId)])
  await expect.poll(() => outlines.running).toBe(1)
  await me.call(chatRoutes.usage)
  expect(outlines.most).toBe(1)
  const counts = Promise.all(others.map(count))
  await expect.poll(() => outlines.running).toBe(2)
  await me.call(chatRoutes.usage)
  released.resolve()
  expect([...(await same), ...(await counts)].map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(outlines.most).toBe(2)
})
