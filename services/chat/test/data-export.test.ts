import { chatRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiCaller, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'
import { exportOf } from './given-export.ts'
import { dataUrl, pdfSaying, picture } from './sample-files.ts'

let given: GivenChat
let chat: Replica
let userId: string
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  const both = { supportsImageAttachments: true, supportsFileAttachments: true }
  given.router.models.set('seer', modelInfo({ id: 'seer', name: 'Seer', provider: 'openai', ...both }))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  const principal = userPrincipal()
  userId = principal.userId
  me = chat.api.as(principal)
})

const jsonIn = (files: ReadonlyMap<string, Buffer>, path: string) => JSON.parse(String(files.get(path)))
const textOf = (files: ReadonlyMap<string, Buffer>) => [...files.values()].map(String).join('\n')

describe("a user's data export", () => {
  it('has every chat as JSON and Markdown, every file to the byte, and the watchlist', async () => {
    const attachments = [
      { dataUrl: dataUrl(await picture('png')), name: 'Foto ö.png' },
      { dataUrl: dataUrl(pdfSaying('of the file')), name: 'a.pdf' },
    ]
    const { start } = await send(me, message('Look', { title: 'Über / "plan" 計画', attachments, model: 'seer' }))
    await send(me, message('Otherwise', { chatId: start.chatId, editMessageId: start.userMessageId }))
    await send(me, message('Second chat', { title: '../..' }))
    await me.put('/api/finance/watchlist', { symbols: ['AAPL', 'MSFT'] })

    const brought = await exportOf(given, userId)
    const thread = (await me.call(chatRoutes.get, { params: { id: start.chatId } })).body
    const kept = jsonIn(brought, 'files/files.json') as { id: string; path: string; name: string }[]
    const chats = [
      'chats/1-Über-plan-計画.json',
      'chats/1-Über-plan-計画.md',
      'chats/2-untitled.json',
      'chats/2-untitled.md',
    ]
    expect([...brought.keys()]).toEqual([
      'watchlist.json',
      ...chats,
      ...kept.map(({ path }) => path),
      'files/files.json',
    ])

    const saved = jsonIn(brought, chats[0] ?? '')
    expect(saved).toMatchObject({ format: 'parley-chat', version: 1, chat: { id: start.chatId, title: thread.title } })
    const said = saved.messages.map(({ content }: { content: string }) => content)
    expect(said).toEqual(expect.arrayContaining(['Look', 'Otherwise']))
    expect(said).toHaveLength(4)
    expect((await me.get(`/api/chat/history/${start.chatId}/export?format=json`)).text).toBe(
      String(brought.get(chats[0] ?? '')),
    )
    expect(String(brought.get(chats[1] ?? ''))).toContain('Otherwise')
    expect(jsonIn(brought, 'watchlist.json')).toEqual(['AAPL', 'MSFT'])

    expect(kept.map(({ name }) => name).sort()).toEqual(['Foto ö.png', 'a.pdf'])
    for (const { id, path, name } of kept) {
      expect(path).toMatch(name === 'a.pdf' ? /^files\/[\w-]+-a\.pdf$/ : /^files\/[\w-]+-Foto-ö\.png$/)
      const served = await me.open('GET', `/api/chat/files/${id}`)
      expect(Buffer.from(await served.body.arrayBuffer()).equals(brought.get(path) ?? Buffer.alloc(0))).toBe(true)
      expect(JSON.stringify(saved)).toContain(id)
    }
  })

  it('can be imported again', async () => {
    await send(me, message('Once', { title: 'Mine' }))
    const brought = await exportOf(given, userId)
    const other = chat.api.as(userPrincipal())
    const file = jsonIn(brought, 'chats/1-Mine.json')
    expect((await other.call(chatRoutes.importChats, { body: file })).body).toMatchObject({ imported: 1 })
    expect((await other.call(chatRoutes.history)).body).toMatchObject([{ title: 'Mine' }])
  })

  it('has nothing of other users, nor what the user deleted', async () => {
    const stranger = chat.api.as(userPrincipal())
    await send(stranger, message('the stranger’s words', { title: 'the stranger’s title' }))
    const { start } = await send(me, message('words that were deleted', { title: 'deleted' }))
    await me.call(chatRoutes.remove, { params: { id: start.chatId } })
    await send(me, message('my words'))
    const brought = await exportOf(given, userId)
    expect([...brought.keys()].filter((path) => path.startsWith('chats/'))).toHaveLength(2)
    expect(textOf(brought)).toContain('my words')
    expect(textOf(brought)).not.toMatch(/stranger|deleted/)
  })

  it('of a user without data has empty lists', async () => {
    const brought = await exportOf(given, userId)
    expect([...brought].map(([path, bytes]) => [path, JSON.parse(String(bytes))])).toEqual([
      ['watchlist.json', []],
      ['files/files.json', []],
    ])
  })

  it('starts again from the beginning when it is requested again or auth was unavailable', async () => {
    await send(me, message('again', { title: 'again' }))
    given.auth.exports.refusals.push(503)
    const brought = await exportOf(given, userId, [newId(), newId()])
    expect([...brought.keys()]).toEqual([
      'watchlist.json',
      'chats/1-again.json',
      'chats/1-again.md',
      'files/files.json',
    ])
  })

  it('of many chats is uploaded in pieces, each chat under its own name and number', async () => {
    const imported = Array.from({ length: 120 }, (_, nth) => ({
      id: newId(),
      title: 'Same name',
      create_time: 1_700_000_000 + nth,
      update_time: 1_700_000_000 + nth,
      mapping: {
        q: {
          id: 'q',
          parent: null,
          children: [],
          message: {
            author: { role: 'user' },
            content: { content_type: 'text', parts: [`question ${nth}. ${'x'.repeat(40_000)}`] },
            create_time: 1_700_000_000 + nth,
          },
        },
      },
    }))
    const { body } = await me.call(chatRoutes.importChats, { body: imported })
    expect(body).toMatchObject({ imported: 120 })
    const calls = given.auth.exports.calls.length
    const brought = await exportOf(given, userId)
    expect(String(brought.get('chats/001-Same-name.md'))).toContain('question 0.')
    expect(String(brought.get('chats/120-Same-name.md'))).toContain('question 119.')
    expect(brought.size).toBe(242)
    expect(given.auth.exports.calls.length - calls).toBeGreaterThan(3)
  })
})
