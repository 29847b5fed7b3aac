import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, adminPrincipal, guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo, type ImageCall, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'
import { picture } from './sample-files.ts'

let given: GivenChat
let one: Replica
let two: Replica
let drawn: Buffer
beforeAll(async () => {
  given = await givenChat()
  // Calls that wait for an image are woken by a hint, and do not ask the store for it.
  const told = { timing: { lookMs: 600_000 } }
  ;[one, two] = [await given.replica(told), await given.replica(told)]
  drawn = await picture('png', { width: 64, height: 64 })
  const painter = { modelType: 'image', creditsPerMessage: 4 } as const
  given.router.models.set('off', modelInfo({ ...painter, id: 'off', enabled: false }))
  given.router.models.set('painter', modelInfo({ ...painter, id: 'painter' }))
  given.router.models.set('dear', modelInfo({ ...painter, id: 'dear', creditsPerMessage: 9 }))
})
afterAll(() => given.stop())
const paint = (call: ImageCall): void => call.answer({ data: drawn })
beforeEach(() => {
  given.router.script = echo
  given.router.paint = paint
  given.router.images.length = 0
})

const asUser = (user = userPrincipal(), replica = one): ApiCaller => replica.api.as(user)
const make = (caller: ApiCaller, body: object = {}, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  caller.call(chatRoutes.image, { body: { prompt: 'A cat', ...body }, headers, ...(signal && { signal }) })
const balance = (user: { userId: string }): number => given.billing.balances.get(user.userId) ?? 100
const newChat = async (caller: ApiCaller): Promise<string> =>
  (await caller.call(chatRoutes.create, { body: { title: 'Pictures', model: 'v3' } })).body.chatId
const messagesOf = async (caller: ApiCaller, id: string) => (await caller.call(chatRoutes.get, { params: { id } })).body

describe('an image', () => {
  it('is made by the first enabled model, stored and charged once', async () => {
    const user = userPrincipal()
    const { status, body } = await make(asUser(user))
    expect(status).toBe(200)
    expect(body).toEqual({
      imageUrl: expect.stringMatching(/^\/api\/chat\/files\//),
      model: 'painter',
      creditsCharged: 4,
    })
    expect(given.router.images[0]?.body).toMatchObject({ model: 'painter', prompt: 'A cat', allowLocked: false })
    expect(balance(user)).toBe(96)
    const picture = await asUser(user).get(body.imageUrl)
    expect(picture).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } })
    expect((await asUser().get(body.imageUrl)).status).toBe(404)
  })

  it('and its prompt become messages of a chat, which goes on', async () => {
    const caller = asUser()
    const chatId = await newChat(caller)
    const { body } = await make(caller, { chatId, model: 'painter', clientMessageId: 'mine' })
    const { messages, modelUsed } = await messagesOf(caller, chatId)
    expect(modelUsed).toBe('v3')
    expect(messages).toMatchObject([
      { id: body.userMessageId, role: 'user', content: 'A cat', clientMessageId: 'mine', parentId: null },
      {
        id: body.messageId,
        role: 'assistant',
        parentId: body.userMessageId,
        model: 'painter',
        status: 'complete',
        credits: 4,
        attachments: [{ url: body.imageUrl, type: 'image', width: 64, height: 64 }],
      },
    ])
    await send(caller, message('Thanks', { chatId }))
    expect((await messagesOf(caller, chatId)).messages).toHaveLength(4)
  })

  it('costs what the model that made it costs, if that is less, and an admin nothing', async () => {
    given.router.paint = (call) => call.answer({ data: drawn, model: 'cheap', creditsPerMessage: 2 })
    const user = userPrincipal()
    expect((await make(asUser(user), { model: 'dear' })).body).toMatchObject({ model: 'cheap', creditsCharged: 2 })
    expect(balance(user)).toBe(98)
    given.router.paint = (call) => call.answer({ data: drawn, model: 'precious', creditsPerMessage: 20 })
    expect((await make(asUser(user), { model: 'dear' })).body).toMatchObject({ creditsCharged: 9 })
    expect(balance(user)).toBe(89)
    const admin = adminPrincipal()
    expect((await make(asUser(admin), { model: 'off' })).body).toMatchObject({ creditsCharged: 0 })
    expect(balance(admin)).toBe(100)
  })

  it('is made once for one key, whichever replicas are asked', async () => {
    const user = userPrincipal()
    const chatId = await newChat(asUser(user))
    let paintIt = (): void => undefined
    given.router.paint = (call) =>
      new Promise((resolve) => {
        paintIt = () => {
          call.answer({ data: drawn })
          resolve()
        }
      })
    const headers = { 'idempotency-key': 'the-key' }
    const asking = [one, two, one].map((replica) => make(asUser(user, replica), { chatId }, headers))
    await expect.poll(() => given.router.images.length).toBe(1)
    paintIt()
    const answers = await Promise.all(asking)
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual(answers[0]?.body)
    }
    expect(given.router.images).toHaveLength(1)
    expect(balance(user)).toBe(96)
    expect((await messagesOf(asUser(user), chatId)).messages).toHaveLength(2)
    expect((await make(asUser(user), { prompt: 'A dog' }, headers)).status).toBe(409)
    expect((await asUser(user).post('/api/chat', message('x'), { headers })).status).toBe(409)
  })

  it('is stored when its client disconnects', async () => {
    const user = userPrincipal()
    const chatId = await newChat(asUser(user))
    const left = new AbortController()
    given.router.paint = async (call) => {
      left.abort()
      call.answer({ data: drawn })
    }
    const headers = { 'idempotency-key': 'left' }
    await expect(make(asUser(user), { chatId }, headers, left.signal)).rejects.toThrow()
    await expect.poll(async () => (await messagesOf(asUser(user), chatId)).messages.length).toBe(2)
    const again = await make(asUser(user, two), { chatId }, headers)
    expect(again.body).toMatchObject({ creditsCharged: 4 })
    expect(balance(user)).toBe(96)
  })
})

it('an image is charged by its event if its replica dies before the image is in its chat', async () => {
  const never = () => new Promise<never>(() => undefined)
  const dying = await given.replica({
    timing: { drainMs: 0 },
    stores: (stores) => ({ ...stores, messages: { ...stores.messages, append: never } }),
  })
  const user = userPrincipal()
  const chatId = await newChat(asUser(user))
  const left = new AbortController()
  const asking = make(asUser(user, dying), { chatId }, {}, left.signal).catch(() => undefined)
  const told = () => given.events.flatMap(({ data }) => ('chatId' in data && data.chatId === chatId ? [data] : []))
  await expect.poll(told).toEqual([
    {
      ...{ chatId, userId: user.userId, model: 'painter', outcome: 'complete', charge: 4, source: 'image' },
      ...{ generationId: expect.any(String), responseMs: expect.any(Number) },
      usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    },
  ])
  const [{ generationId = '' } = {}] = told()
  expect(given.billing.holds.get(generationId)).toEqual({ userId: user.userId, amount: 4, renewals: 0 })
  left.abort()
  await asking
  await dying.stop()
})

it.each([
  ['while the store can be read is delivered and charged', false],
  ['while the store is unavailable keeps its hold, which its event settles', true],
])('an image whose storing is never acknowledged %s', async (_, isCutOff) => {
  const lost = () => Promise.reject(new Error('The store cannot be reached'))
  const replica = await given.replica({
    stores: (stores) => ({
      ...stores,
      files: {
        ...stores.files,
        add: async (...file) => await stores.files.add(...file).then(lost),
        ...(isCutOff && { find: lost }),
      },
    }),
  })
  const user = userPrincipal()
  const { status, body } = await make(asUser(user, replica))
  if (isCutOff) {
    expect(status).toBeGreaterThanOrEqual(500)
    expect([...given.billing.holds.values()]).toContainEqual({ userId: user.userId, amount: 4, renewals: 0 })
  } else {
    expect(body).toMatchObject({ creditsCharged: 4 })
    expect((await asUser(user).get(body.imageUrl)).status).toBe(200)
  }
  expect(balance(user)).toBe(96)
  await replica.stop()
})

describe('another version of an image', () => {
  const imageIn = async (caller: ApiCaller, chatId: string) => (await messagesOf(caller, chatId)).messages[1]
  const givenImage = async (user = userPrincipal(), clientMessageId = 'first') => {
    const chatId = await newChat(asUser(user))
    const { status, body } = await make(asUser(user), { chatId, clientMessageId })
    expect(status).toBe(200)
    return { user, chatId, first: { questionId: body.userMessageId ?? '', id: body.messageId ?? '' } }
  }

  it('stands beside the first behind the same question, is shown, and is charged once, whoever asks again', async () => {
    const { user, chatId, first } = await givenImage()
    await send(asUser(user), message('Thanks', { chatId }))
    const before = balance(user)
    const version = { chatId, prompt: 'Not the question', regenerateMessageId: first.id, clientMessageId: 'second' }
    const asked = await Promise.all([one, two].map((replica) => make(asUser(user, replica), version)))
    const [{ body }] = asked as [(typeof asked)[0]]
    for (const each of asked) expect(each).toMatchObject({ status: 200, body })
    expect(body).toMatchObject({ userMessageId: first.questionId, creditsCharged: 4 })
    expect(body.messageId).not.toBe(first.id)
    expect(before - balance(user)).toBe(4)
    expect(given.router.images).toHaveLength(2)
    const versions = [first.id, body.messageId]
    expect((await messagesOf(asUser(user), chatId)).messages).toMatchObject([
      { id: first.questionId, content: 'A cat', clientMessageId: 'first' },
      { id: body.messageId, parentId: first.questionId, versions, attachments: [{ url: body.imageUrl }] },
    ])
  })

  it('gives way to the first one when that is selected, with all that followed it', async () => {
    const { user, chatId, first } = await givenImage()
    await send(asUser(user), message('Thanks', { chatId }))
    const { body } = await make(asUser(user), { chatId, regenerateMessageId: first.id })
    const chosen = await asUser(user).call(chatRoutes.show, { params: { id: chatId }, body: { messageId: first.id } })
    expect(chosen.status).toBe(200)
    const { messages } = await messagesOf(asUser(user), chatId)
    expect(messages).toHaveLength(4)
    expect(messages[1]).toMatchObject({ id: first.id, versions: [first.id, body.messageId] })
    const third = await make(asUser(user), { chatId, regenerateMessageId: body.messageId })
    const versions = [first.id, body.messageId, third.body.messageId]
    expect(await imageIn(asUser(user), chatId)).toMatchObject({ id: third.body.messageId, versions })
  })

  it('is made of the user’s own images in that chat only; otherwise no provider is called', async () => {
    const { user, chatId, first } = await givenImage()
    const text = await send(asUser(user), message('Thanks', { chatId }))
    const elsewhere = await givenImage(user, 'elsewhere')
    given.router.images.length = 0
    const before = balance(user)
    const status = async (body: object, caller = asUser(user)) => (await make(caller, body)).status
    expect(await status({ chatId, regenerateMessageId: 'none' })).toBe(404)
    expect(await status({ chatId, regenerateMessageId: first.questionId })).toBe(404)
    expect(await status({ chatId, regenerateMessageId: text.start.messageId })).toBe(404)
    expect(await status({ chatId, regenerateMessageId: elsewhere.first.id })).toBe(404)
    expect(await status({ chatId, regenerateMessageId: first.id }, asUser())).toBe(404)
    expect(await make(asUser(user), { regenerateMessageId: first.id })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
    expect(given.router.images).toEqual([])
    expect(balance(user)).toBe(before)
  })

  it('is another request than an image of its own under the same key', async () => {
    const { user, chatId, first } = await givenImage()
    const again = await make(asUser(user), { chatId, clientMessageId: 'first', regenerateMessageId: first.id })
    expect(again.status).toBe(409)
    expect((await messagesOf(asUser(user), chatId)).messages).toHaveLength(2)
  })

  it('that fails leaves the first one shown and costs nothing', async () => {
    const { user, chatId, first } = await givenImage()
    given.router.paint = (call) => call.refuse('provider_error', 'The provider is out of paint.')
    expect((await make(asUser(user), { chatId, regenerateMessageId: first.id })).status).toBe(502)
    expect(balance(user)).toBe(96)
    const shown = await imageIn(asUser(user), chatId)
    expect(shown).toMatchObject({ id: first.id })
    expect(shown?.versions ?? []).not.toHaveLength(2)
  })
})

describe('an image that fails', () => {
  it('costs nothing, says why, and is tried again under the same key', async () => {
    const user = userPrincipal()
    const chatId = await newChat(asUser(user))
    given.router.paint = (call) => call.refuse('provider_error', 'The provider is out of paint.')
    const headers = { 'idempotency-key': 'again' }
    const failed = await make(asUser(user), { chatId }, headers)
    expect(failed).toMatchObject({
      status: 502,
      body: { code: 'provider_error', error: 'Failed to generate image: The provider is out of paint.' },
    })
    expect(balance(user)).toBe(100)
    expect((await messagesOf(asUser(user), chatId)).messages).toEqual([])
    given.router.paint = paint
    expect((await make(asUser(user, two), { chatId }, headers)).status).toBe(200)
    expect(balance(user)).toBe(96)
  })

  it('because the provider sent something else is 502', async () => {
    const user = userPrincipal()
    given.router.paint = (call) => call.answer({ data: Buffer.from('<html>an error page</html>') })
    expect(await make(asUser(user))).toMatchObject({ status: 502, body: { code: 'provider_error' } })
    expect(balance(user)).toBe(100)
  })

  it.each([
    ['a text model', { model: 'v3' }, 400, 'validation_failed'],
    ['an unknown model', { model: 'none' }, 404, 'not_found'],
    ['a disabled model', { model: 'off' }, 403, 'model_locked'],
    ['an empty prompt', { prompt: ' ' }, 400, 'validation_failed'],
    ['an unknown chat', { chatId: 'none' }, 404, 'not_found'],
  ])('for %s is refused before any service is called', async (_name, body, status, code) => {
    const user = userPrincipal()
    expect(await make(asUser(user), body)).toMatchObject({ status, body: { code } })
    expect(given.router.images).toEqual([])
    expect(balance(user)).toBe(100)
  })

  it('because of credits, another user’s chat, a guest or a running answer calls no service', async () => {
    const user = userPrincipal()
    given.billing.balances.set(user.userId, 3)
    expect(await make(asUser(user))).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } })
    const chatId = await newChat(asUser(user))
    expect((await make(asUser(), { chatId })).status).toBe(404)
    expect((await make(one.api.as(guestPrincipal()))).status).toBe(401)
    given.router.script = (call) => {
      call.start()
      call.text('Writing')
    }
    const writing = await asUser(user).stream(chatRoutes.send, { body: message('Go', { chatId }) })
    expect((await make(asUser(user), { chatId })).status).toBe(409)
    writing.body.destroy()
    expect(given.router.images).toEqual([])
  })
})

it('a made image is attached by its owner only', async () => {
  const user = userPrincipal()
  const { body } = await make(asUser(user))
  given.router.models.set('seer', modelInfo({ id: 'seer', supportsImageAttachments: true }))
  const mine = message('What is it?', { model: 'seer', attachments: [{ url: body.imageUrl }] })
  expect((await send(asUser(user), mine)).status).toBe(200)
  expect((await asUser().post('/api/chat', mine)).status).toBe(404)
})
