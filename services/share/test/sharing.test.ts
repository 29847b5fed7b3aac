import { type Route, shareInternalRoutes, shareRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { badInputCases, guestPrincipal, servicePrincipal, testEvent, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type GivenShare, givenShare } from './given-share.ts'

let given: GivenShare
beforeAll(async () => {
  given = await givenShare()
})
afterAll(() => given.stop())

const share = async (owner = userPrincipal(), options: object = {}, texts = ['A question', 'An answer']) => {
  const chatId = given.addChat(owner.userId, ...texts)
  const made = await given.api.as(owner).call(shareRoutes.create, { body: { chatId, ...options } })
  expect(made.status, made.text).toBe(201)
  return { owner, chatId, ...made.body }
}
const view = (id: string, headers: Record<string, string> = {}, network = '4:192.0.2.9', query = {}) =>
  given.replica.as(guestPrincipal({ network })).call(shareRoutes.view, { params: { id }, query, headers })
const seconds = (count: number): string => new Date(Date.now() + count * 1_000).toISOString()

describe('a link', () => {
  it('is created once per chat, renewed under its id, and loses omitted options', async () => {
    const { owner, chatId, id } = await share(undefined, { password: 'x', expiresAt: seconds(60) })
    const caller = given.replica.as(owner)
    const again = await caller.call(shareRoutes.create, { body: { chatId } })
    expect([again.status, again.body]).toMatchObject([
      200,
      { id, url: `/s/${id}`, hasPassword: false, expiresAt: null },
    ])
    const many = await Promise.all(
      Array.from({ length: 6 }, () => given.api.as(owner).call(shareRoutes.create, { body: { chatId } })),
    )
    expect(new Set(many.map(({ body }) => body.id))).toEqual(new Set([id]))
  })

  it('that has expired, is truncated or differs in case gives the same 404 as one that never existed', async () => {
    const { owner, id, chatId } = await share(undefined, { expiresAt: seconds(5) })
    await expect.poll(async () => (await view(id)).status).toBe(404)
    const answers = await Promise.all([id, id.slice(1), newId(), `${id}0`].map((each) => view(each)))
    for (const { status, body } of answers)
      expect([status, { ...body, requestId: '' }]).toEqual([
        404,
        { error: 'Invalid share link', code: 'not_found', requestId: '' },
      ])
    const renewed = await given.api.as(owner).call(shareRoutes.create, { body: { chatId } })
    expect([renewed.body.id, (await view(id)).status]).toEqual([id, 200])
    expect((await view(id.replace(/[a-f]/, (letter) => letter.toUpperCase()))).status).toBe(
      /[a-f]/.test(id) ? 404 : 200,
    )
  })

  it('counts each time it is opened, but no refusal, further page, preview or HEAD', async () => {
    const { owner, id } = await share(undefined, { password: 'x' })
    const card = given.api.as(servicePrincipal('gateway')).call(shareInternalRoutes.card, { params: { id } })
    expect((await card).body).toEqual({ title: null, description: null, firstScreen: null, hasFormulas: false })
    const right = { 'x-share-password': 'x' }
    for (const headers of [{}, { 'x-share-password': 'y' }, right, right]) await view(id, headers)
    await view(id, right, undefined, { page: 0 })
    await view(id, right, undefined, { page: 1 })
    const looked = await given.api.as(guestPrincipal()).send('HEAD', `/api/share/${id}`, { headers: right })
    expect([looked.status, looked.text]).toEqual([200, ''])
    const { body } = await given.api.as(owner).call(shareRoutes.list)
    expect(body).toMatchObject({ items: [{ id, views: 3, hasPassword: true, title: 'A chat' }], nextCursor: null })
  })

  it('gives its page the first screen, that of the renewed link once it is renewed, and nothing once it is revoked, locked or of a banned owner', async () => {
    const { owner, id, chatId } = await share(undefined, {}, ['A <b>question</b>', 'A **first** answer'])
    const screen = async (from: GivenShare['api'] = given.replica) => {
      const answer = await from.as(servicePrincipal('gateway')).call(shareInternalRoutes.card, { params: { id } })
      return answer.status === 200 ? answer.body.firstScreen : answer.status
    }
    for (let nth = 0; nth < 2; nth += 1) {
      expect(await screen()).toMatch(/A &lt;b&gt;question&lt;\/b&gt;.*A <strong>first<\/strong> answer/s)
    }
    const caller = given.api.as(owner)
    await caller.call(shareRoutes.create, { body: { chatId, redact: ['first'] } })
    expect(await screen()).toContain('A <strong>█████</strong> answer')
    await caller.call(shareRoutes.create, { body: { chatId, password: 'x' } })
    expect([await screen(), await screen(given.api)]).toEqual([null, null])
    await caller.call(shareRoutes.create, { body: { chatId } })
    expect(await screen()).toContain('first')
    given.banned.add(owner.userId)
    await given.signal.publish('principal-changed', { userId: owner.userId })
    await expect.poll(() => screen()).toBe(404)
    given.banned.delete(owner.userId)
    await given.signal.publish('principal-changed', { userId: owner.userId })
    await expect.poll(() => screen()).toContain('first')
    await caller.call(shareRoutes.revoke, { params: { id } })
    expect([await screen(), await screen(given.api)]).toEqual([404, 404])
  })

  it('of a long chat is read as a whole or page by page', async () => {
    const texts = Array.from({ length: 2_000 }, (_none, nth) => `Text ${nth}`)
    const { id } = await share(undefined, {}, texts)
    const whole = await view(id)
    expect([whole.body.messages.map(({ content }) => content), whole.body.pages]).toEqual([texts, undefined])
    expect(whole.body).toMatchObject({ model: 'v3', modelName: 'DeepSeek v3' })
    const last = await view(id, {}, undefined, { page: 39 })
    expect([last.body.pages, last.body.messages.at(-1)?.content]).toEqual([40, 'Text 1999'])
    expect((await view(id, {}, undefined, { page: 40 })).status).toBe(404)
    const card = await given.api.as(servicePrincipal('gateway')).call(shareInternalRoutes.card, { params: { id } })
    expect(card.body.firstScreen?.match(/Text \d+/g)).toEqual(texts.slice(0, 12))
  })

  it.each([
    ['the new content only', { redact: ['Text'] }, 200],
    ['nothing without its new password', { password: 'x' }, 401],
  ])('that is renewed while its pages are read gives %s', async (_what, options, status) => {
    const texts = Array.from({ length: 60 }, (_none, nth) => `Text ${nth}`)
    const { owner, chatId, id } = await share(undefined, {}, texts)
    const { page } = given.stores.shares
    const reading = vi.spyOn(given.stores.shares, 'page').mockImplementation(async (snapshotId, nth) => {
      const isRenewed = reading.mock.calls.length > 2
      if (nth === 1 && !isRenewed)
        await given.replica.as(owner).call(shareRoutes.create, { body: { chatId, ...options } })
      return await page(snapshotId, nth)
    })
    const open = given.api.as(guestPrincipal()).call(shareRoutes.view, { params: { id }, query: {} })
    const seen = await open.finally(() => reading.mockRestore())
    expect(seen.status).toBe(status)
    if (status === 200)
      expect(seen.body.messages.map(({ content }) => content.slice(0, 4))).toEqual(Array(60).fill('████'))
  })

  it('with a password allows ten wrong attempts per network and minute, and right ones do not count', async () => {
    const { id } = await share(undefined, { password: 'a b' })
    const other = await share(undefined, { password: 'a b' })
    const tries = async (word: string, times: number, network = '6:2001:db8:0:1', link = id) => {
      const headers = { 'x-share-password': encodeURIComponent(word) }
      const answers = await Promise.all(Array.from({ length: times }, () => view(link, headers, network)))
      return answers.map(({ status }) => status).sort()
    }
    expect(new Set(await tries('a b', 12))).toEqual(new Set([200]))
    expect(await tries('wrong', 12)).toEqual([...Array(10).fill(401), 429, 429])
    const refused = await view(id, { 'x-share-password': 'a%20b' }, '6:2001:db8:0:1')
    expect([refused.status, refused.headers]).toMatchObject([
      429,
      {
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
        'ratelimit-limit': '10',
        'ratelimit-remaining': '0',
        'ratelimit-reset': refused.headers['retry-after'],
      },
    ])
    expect(await tries('a b', 1, '4:198.51.100.7')).toEqual([200])
    expect(await tries('a b', 1, '6:2001:db8:0:1', other.id)).toEqual([200])
  })

  it('takes its password in either spelling of an accent', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
    for (const password of [composed, decomposed]) {
      const { id } = await share(undefined, { password })
      for (const entered of [composed, decomposed])
        expect((await view(id, { 'x-share-password': encodeURIComponent(entered) })).status).toBe(200)
    }
  })

  it('is hidden while its owner is banned, and unavailable when the rights cannot be read', async () => {
    const { owner, id } = await share()
    expect((await view(id)).status).toBe(200)
    given.banned.add(owner.userId)
    await given.signal.publish('principal-changed', { userId: owner.userId })
    await expect.poll(async () => (await view(id)).status).toBe(404)
    given.banned.delete(owner.userId)
    given.away.auth = true
    await given.signal.publish('principal-changed', { userId: owner.userId })
    await expect.poll(async () => (await view(id)).status).toBe(503)
    given.away.auth = false
    expect((await view(id)).status).toBe(200)
  })

  it('disappears and returns with its chat, and is shown for a minute while chat is unavailable', async () => {
    const { owner, chatId, id } = await share()
    const chat = given.chats.get(chatId)
    expect((await view(id)).status).toBe(200)
    given.away.chat = true
    await given.signal.publish('chat-changed', { userId: 'another', chatId: 'another', kind: 'deleted' })
    expect((await view(id)).status).toBe(200)
    expect((await given.api.as(owner).call(shareRoutes.create, { body: { chatId } })).status).toBe(503)
    given.away.chat = false
    given.chats.delete(chatId)
    await given.signal.publish('chats-changed', { userId: owner.userId, kind: 'deleted', chats: [{ chatId }] })
    await expect.poll(async () => (await view(id)).status).toBe(404)
    if (chat) given.chats.set(chatId, chat)
    await expect.poll(async () => (await view(id)).status).toBe(200)
  })

  it('that is revoked while it is open gives nothing more: no further page, and no second look', async () => {
    const { owner, id } = await share(
      undefined,
      {},
      Array.from({ length: 120 }, (_none, nth) => `Text ${nth}`),
    )
    const page = async (nth: number) => (await view(id, {}, undefined, { page: nth })).status
    expect([await page(0), await page(1)]).toEqual([200, 200])
    expect((await given.api.as(owner).call(shareRoutes.revoke, { params: { id } })).status).toBe(204)
    expect([await page(2), await page(0), (await view(id)).status]).toEqual([404, 404, 404])
    expect((await given.replica.as(guestPrincipal()).get(`/api/share/${id}/images/0_0`)).status).toBe(404)
  })

  it('of a chat that is erased while the link is made is dead from the beginning, on every replica and as a card', async () => {
    given.hooks.read = (chatId) => given.chats.delete(chatId)
    const { id } = await share(undefined, {}, ['An erased text']).finally(() => {
      given.hooks.read = () => undefined
    })
    const card = given.api.as(servicePrincipal('gateway')).call(shareInternalRoutes.card, { params: { id } })
    expect([(await view(id)).status, (await card).status]).toEqual([404, 404])
    expect((await view(id)).text).not.toContain('An erased text')
    expect((await given.api.as(guestPrincipal()).call(shareRoutes.view, { params: { id }, query: {} })).status).toBe(
      404,
    )
  })

  it("is refused for invalid options, an empty chat and another user's chat", async () => {
    const owner = userPrincipal()
    const [chatId, empty] = [given.addChat(owner.userId, 'Text'), given.addChat(owner.userId)]
    const refusals: [object, number][] = [
      [{ chatId: empty }, 400],
      [{ chatId, expiresAt: seconds(-5) }, 400],
      [{ chatId, password: '' }, 400],
      [{ chatId, owner: 'me' }, 400],
      [{ chatId, messageIds: [] }, 400],
      [{ chatId: newId() }, 404],
    ]
    for (const [body, status] of refusals) {
      for (const path of ['/api/share', '/api/share/preview']) {
        const answer = await given.api.as(owner).post(path, body)
        expect([path, answer.status, body]).toEqual([path, status, body])
      }
    }
    const stranger = await given.api.as(userPrincipal()).post('/api/share', { chatId })
    expect([stranger.status, stranger.body]).toMatchObject([404, { error: 'Chat not found.' }])
    expect((await given.api.as(owner).call(shareRoutes.list)).body.items).toEqual([])
  })
})

it('a link is continued without messages that have no text, as those of an image', async () => {
  const owner = userPrincipal()
  const chatId = given.addChat(owner.userId, 'A question', '', 'Another')
  given.chats.get(chatId)?.messages[1]?.images.push({ fileId: newId(), mimeType: 'image/png' })
  const { id } = (await given.api.as(owner).call(shareRoutes.create, { body: { chatId, includeImages: true } })).body
  expect((await view(id)).body.messages).toHaveLength(3)
  const { body } = await given.api.as(userPrincipal()).call(shareRoutes.continueChat, { params: { id } })
  expect(given.chats.get(body.chatId)?.messages.map(({ content }) => content)).toEqual(['A question', 'Another'])
})

it('a chat whose beginning is cut inside a character is shared, and one that redaction makes too long is refused', async () => {
  await share(undefined, {}, [`Table${'|'.repeat(794)}😀`])
  const owner = userPrincipal()
  const chatId = given.addChat(owner.userId, 'a'.repeat(600_000))
  const refused = await given.api.as(owner).call(shareRoutes.create, { body: { chatId, redact: ['a'] } })
  expect([refused.status, refused.body]).toMatchObject([413, { code: 'payload_too_large' }])
})

it('a chat with thousands of private texts shows none of those that its preview found', async () => {
  const owner = userPrincipal()
  const mails = Array.from({ length: 3_000 }, (_none, nth) => `m${nth}@x.example`)
  const chatId = given.addChat(owner.userId, `Write to ${mails.join(', ')}.`)
  const caller = given.api.as(owner)
  const preview = await caller.call(shareRoutes.preview, { body: { chatId } })
  expect(preview.body.found.map(({ text }) => text)).toEqual(mails)
  const made = await caller.call(shareRoutes.create, { body: { chatId, redact: mails } })
  expect([made.status, (await view(made.body.id)).text.includes('@')]).toEqual([201, false])
})

describe('the links of a user', () => {
  it('are listed in pages and revoked one by one or all at once, only by their owner', async () => {
    const owner = userPrincipal()
    const links = [await share(owner), await share(owner), await share(owner)]
    const caller = given.api.as(owner)
    const first = await caller.call(shareRoutes.list, { query: { limit: 2 } })
    const rest = await caller.call(shareRoutes.list, { query: { limit: 2, cursor: first.body.nextCursor ?? '' } })
    expect([...first.body.items, ...rest.body.items].map(({ id }) => id)).toEqual(links.map(({ id }) => id).reverse())
    expect((await caller.get('/api/share?cursor=nonsense')).status).toBe(400)
    const [one] = links
    const params = { id: one?.id ?? '' }
    expect((await given.api.as(userPrincipal()).call(shareRoutes.revoke, { params })).status).toBe(404)
    expect((await caller.call(shareRoutes.revoke, { params })).status).toBe(204)
    expect((await caller.call(shareRoutes.revokeAll)).body).toEqual({ revoked: 2 })
    for (const { id } of links) expect((await view(id)).status).toBe(404)
  })

  it('are listed by chat, only to their owner', async () => {
    const owner = userPrincipal()
    const [one] = [await share(owner), await share(owner)]
    const listed = async (caller = owner, chatId = one.chatId) => {
      const { body } = await given.replica.as(caller).call(shareRoutes.list, { query: { chatId, limit: 1 } })
      return { ids: body.items.map(({ id }) => id), nextCursor: body.nextCursor }
    }
    expect(await listed()).toEqual({ ids: [one.id], nextCursor: null })
    expect(await listed(owner, newId())).toEqual({ ids: [], nextCursor: null })
    expect(await listed(userPrincipal())).toEqual({ ids: [], nextCursor: null })
    given.chats.delete(one.chatId)
    expect(await listed()).toEqual({ ids: [], nextCursor: null })
  })

  it('of deleted chats are not listed', async () => {
    const owner = userPrincipal()
    const [gone, left] = [await share(owner), await share(owner)]
    given.chats.delete(gone.chatId)
    const { items } = (await given.api.as(owner).call(shareRoutes.list)).body
    expect(items.map(({ id }) => id)).toEqual([left.id])
  })

  it('are erased and exported with the account', async () => {
    const { owner, id } = await share(undefined, {}, ['Exported text'])
    const { userId } = owner
    const publish = (event: Parameters<typeof given.bus.publish>[0][number]) => given.bus.publish([event])
    await publish(testEvent('auth.data-export-requested', userId, { userId, exportId: 'e1' }))
    await expect.poll(() => given.told).toContain('/internal/data-exports/e1/contributions')
    const erasure = { userId, erasureId: 'x1' }
    await publish(testEvent('auth.user-deleted', userId, erasure))
    await expect.poll(() => given.told).toContain('/internal/erasures/x1/acknowledgements')
    expect((await view(id)).status).toBe(404)
    const chatId = given.addChat(userId, 'Late')
    expect((await given.api.as(owner).call(shareRoutes.create, { body: { chatId } })).status).toBe(404)
    expect(await given.stores.shares.list(userId, 10)).toEqual([])
  })
})

it.each(Object.values<Route>(shareRoutes))('$method $path refuses malformed input', async (route) => {
  const caller = given.api.as(userPrincipal())
  for (const { name, request } of badInputCases(route)) {
    const answer = await caller.send(request.method, request.path, request)
    expect.soft(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400)
    expect.soft(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
  }
})
