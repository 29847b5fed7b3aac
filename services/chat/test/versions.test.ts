import { chatInternalRoutes, chatRoutes, type SignalPayload } from '@parley/contracts'
import { type ApiCaller, servicePrincipal, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MessageStore } from '../src/store/message-store.ts'
import { type CompletionCall, echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
let user: ReturnType<typeof userPrincipal>
const told: SignalPayload<'chat-changed'>[] = []
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.signal.subscribe('chat-changed', (change) => told.push(change))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  user = userPrincipal()
  me = chat.api.as(user)
})

const detail = async (id: string, query: Record<string, string | number> = {}) =>
  (await me.call(chatRoutes.get, { params: { id }, query })).body
const texts = async (id: string) => (await detail(id)).messages.map(({ content }) => content)
const show = (id: string, messageId: string) => me.call(chatRoutes.show, { params: { id }, body: { messageId } })

/** A question, its answer and what followed them; then the same question otherwise. */
async function givenTwoVersions() {
  const first = await send(me, message('One'))
  const { chatId } = first.start
  const second = await send(me, message('Two', { chatId }))
  const edited = await send(me, message('One, edited', { chatId, editMessageId: first.start.userMessageId }))
  return { chatId, first: first.start, second: second.start, edited: edited.start }
}

describe('the version that is shown', () => {
  it('is selected with all that followed it, is stored, and is continued', async () => {
    const { chatId, first, second, edited } = await givenTwoVersions()
    expect(await texts(chatId)).toEqual(['One, edited', 'You said: One, edited'])
    const shown = await show(chatId, first.userMessageId)
    expect(shown.body).toEqual({ chatId, lastMessageId: second.messageId })
    expect(await texts(chatId)).toEqual(['One', 'You said: One', 'Two', 'You said: Two'])
    const versions = [first.userMessageId, edited.userMessageId]
    expect((await detail(chatId)).messages[0]?.versions).toEqual(versions)
    await send(me, message('Three', { chatId }))
    expect((await texts(chatId)).slice(-3)).toEqual(['You said: Two', 'Three', 'You said: Three'])
    expect((await show(chatId, edited.messageId)).body.lastMessageId).toBe(edited.messageId)
    expect(await texts(chatId)).toEqual(['One, edited', 'You said: One, edited'])
  })

  it('comes back as it was left, with the inner version that was shown last', async () => {
    const { chatId, first, second, edited } = await givenTwoVersions()
    const again = await send(me, message('', { chatId, regenerateMessageId: second.messageId }))
    expect((await show(chatId, second.messageId)).body.lastMessageId).toBe(second.messageId)
    await show(chatId, edited.messageId)
    expect((await show(chatId, first.userMessageId)).body.lastMessageId).toBe(second.messageId)
    expect((await show(chatId, again.start.messageId)).body.lastMessageId).toBe(again.start.messageId)
  })

  it('of an imported answer that follows another one answers the question before both', async () => {
    const said = (id: string, role: string, parentId: string | null) => ({
      id,
      role,
      content: `Text of ${id}`,
      parentId,
    })
    const messages = [said('q', 'user', null), said('a', 'assistant', 'q'), said('b', 'assistant', 'a')]
    await me.post('/api/chat/import', { format: 'parley-chat', version: 1, chat: { id: 'c', title: 'C' }, messages })
    const [{ _id: chatId } = { _id: '' }] = (await me.call(chatRoutes.history)).body
    const second = (await detail(chatId)).messages[2]?.id ?? ''
    given.router.reset()
    await send(me, message('', { chatId, regenerateMessageId: second }))
    expect(given.router.calls[0]?.body.messages.slice(1)).toEqual([{ role: 'user', content: 'Text of q' }])
    expect(await texts(chatId)).toEqual(['Text of q', 'Text of a', 'You said: Text of q'])
  })

  it("is sent to the user's other windows", async () => {
    const { chatId, second } = await givenTwoVersions()
    await show(chatId, second.messageId)
    await untilPasses(() =>
      expect(told).toContainEqual(
        expect.objectContaining({ userId: user.userId, chatId, kind: 'updated', messageId: second.messageId }),
      ),
    )
  })

  it("is sent to the user's other windows with the title that one of them gave the chat meanwhile", async () => {
    const { chatId, second } = await givenTwoVersions()
    const rename = () => me.call(chatRoutes.rename, { params: { id: chatId }, body: { title: 'Renamed' } })
    const show = async (messages: MessageStore, ...selection: Parameters<MessageStore['show']>) => {
      await rename()
      return await messages.show(...selection)
    }
    const { api } = await given.replica({
      stores: (stores) => ({
        ...stores,
        messages: { ...stores.messages, show: (...selection) => show(stores.messages, ...selection) },
      }),
    })
    await api.as(user).call(chatRoutes.show, { params: { id: chatId }, body: { messageId: second.messageId } })
    const ofShowing = () =>
      told.find((hint) => hint.chatId === chatId && hint.messageId === second.messageId && hint.kind === 'updated')
    await untilPasses(() => expect(ofShowing()).toMatchObject({ title: 'Renamed' }))
  })

  it('is not changed while an answer is generating (409), nor by an unknown message (404)', async () => {
    const { chatId, first } = await givenTwoVersions()
    expect((await show(chatId, 'nope')).status).toBe(404)
    expect((await show('nope', first.messageId)).status).toBe(404)
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      call.text('Some')
      running = call
    }
    const answer = send(me, message('Run', { chatId }))
    await untilPasses(() => expect(running).toBeDefined())
    expect((await show(chatId, first.messageId)).status).toBe(409)
    running?.end()
    expect((await answer).last).toMatchObject({ done: true })
    expect((await show(chatId, first.messageId)).status).toBe(200)
  })
})

describe('a page around a message', () => {
  it('has the message in the middle, whatever its version, and does not change the version shown', async () => {
    const { start } = await send(me, message('1'))
    const { chatId } = start
    for (const text of ['2', '3', '4', '5']) await send(me, message(text, { chatId }))
    const whole = (await detail(chatId)).messages
    await send(me, message('1, edited', { chatId, editMessageId: start.userMessageId }))
    const middle = whole[4]?.id ?? ''
    const page = await detail(chatId, { around: middle, limit: 5 })
    expect(page.messages.map(({ id }) => id)).toEqual(whole.slice(2, 7).map(({ id }) => id))
    expect(page).toMatchObject({ hasMore: true, hasNewer: true, shown: false })
    const first = await detail(chatId, { around: whole[0]?.id ?? '', limit: 4 })
    expect(first.messages.map(({ id }) => id)).toEqual(whole.slice(0, 4).map(({ id }) => id))
    expect(first).toMatchObject({ hasMore: false, hasNewer: true })
    const last = await detail(chatId, { around: whole[9]?.id ?? '', limit: 4 })
    expect(last).toMatchObject({ hasMore: true, hasNewer: false })
    expect(last.messages.at(-1)?.id).toBe(whole[9]?.id)
    expect(await texts(chatId)).toEqual(['1, edited', 'You said: 1, edited'])
    const [edited] = (await detail(chatId)).messages
    expect(await detail(chatId, { around: edited?.id ?? '' })).toMatchObject({ hasNewer: false, shown: true })
    expect((await me.get(`/api/chat/history/${chatId}?around=nope`)).status).toBe(404)
  })
})

describe('feedback', () => {
  it('is stored with an answer, sent to other windows, and withdrawn', async () => {
    const { start } = await send(me, message('Hello'))
    const params = { id: start.chatId }
    const rate = (messageId: string, rating: 'up' | 'down' | null, reason?: string) =>
      me.call(chatRoutes.rate, { params, body: { messageId, rating, ...(reason && { reason }) } })
    const rated = await rate(start.messageId, 'down', ' Wrong ')
    const feedback = { rating: 'down', reason: 'Wrong' }
    expect(rated.body).toEqual({ messageId: start.messageId, feedback })
    expect((await detail(start.chatId)).messages[1]?.feedback).toEqual(feedback)
    await untilPasses(() =>
      expect(told).toContainEqual(
        expect.objectContaining({ chatId: start.chatId, kind: 'message', messageId: start.messageId }),
      ),
    )
    expect((await rate(start.messageId, null)).body.feedback).toBeNull()
    expect((await detail(start.chatId)).messages[1]?.feedback).toBeUndefined()
    expect((await rate(start.userMessageId, 'up')).status).toBe(404)
  })
})

describe('the state of a chat for realtime', () => {
  const service = () => chat.api.as(servicePrincipal())

  it('has the text and the number of the event that it ends with', async () => {
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      call.reasoning('Hm')
      call.text('Some text')
      running = call
    }
    const answer = send(me, message('Run'))
    await untilPasses(async () => expect((await me.call(chatRoutes.history)).body).toHaveLength(1))
    const [{ _id: id } = { _id: '' }] = (await me.call(chatRoutes.history)).body
    const query = { userId: user.userId }
    const live = async () => (await service().call(chatInternalRoutes.live, { params: { id }, query })).body
    await untilPasses(async () => expect((await live()).generating?.content).toBe('Some text'))
    const { lastMessageId, generating } = await live()
    expect(generating).toEqual({ messageId: lastMessageId, lastEventId: 3, content: 'Some text', reasoning: 'Hm' })
    running?.end()
    const { start, ids, data } = await answer
    const told3 = data
      .slice(0, ids.indexOf(generating?.lastEventId ?? 0) + 1)
      .map((line) => JSON.parse(line).text ?? '')
    expect(told3.join('')).toBe(generating?.content)
    await untilPasses(async () => expect(await live()).toEqual({ lastMessageId: start.messageId }))
  })

  it('has one message as its owner sees it, and none of other users', async () => {
    const { start } = await send(me, message('Hello'))
    const params = { id: start.chatId, messageId: start.messageId }
    const ask = (userId: string) => service().call(chatInternalRoutes.message, { params, query: { userId } })
    expect((await ask(user.userId)).body).toEqual((await detail(start.chatId)).messages[1])
    expect((await ask('somebody')).status).toBe(404)
    const where = { params: { id: start.chatId }, query: { userId: 'somebody' } }
    expect((await service().call(chatInternalRoutes.live, where)).status).toBe(404)
    expect((await me.get(`/internal/chats/${start.chatId}/live?userId=${user.userId}`)).status).toBe(401)
  })
})
