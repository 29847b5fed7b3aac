import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo, type Script } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(async () => {
  await allow(true)
  given.router.calls.length = 0
  me = chat.api.as(userPrincipal())
})

const allow = async (followUps: boolean) => {
  given.auth.settings.followUps = followUps
  await given.signal.publish('settings-changed', { version: 1 })
}
const isAsked = ({ body }: { body: { generationId: string } }) => body.generationId.startsWith('chat_follow_up-')
const suggesting = (text: string) => {
  const script: Script = (call) => {
    if (!isAsked(call)) return echo(call)
    call.start()
    call.text(text)
    call.end()
  }
  given.router.script = script
}
const asked = () => given.router.calls.filter(isAsked)
const suggestionsFor = (id: string, messageId: string, caller = me) =>
  caller.post(`/api/chat/history/${id}/follow-ups`, { messageId })

describe('suggestions after an answer', () => {
  it('are requested from a model once, charged to nobody, and the same when they are requested again', async () => {
    suggesting('{"suggestions":["And tomorrow?","Why?"]}')
    const { start } = await send(me, message('Will it rain?'))
    const holds = given.billing.holds.size
    for (let round = 0; round < 2; round += 1) {
      expect(await suggestionsFor(start.chatId, start.messageId)).toMatchObject({
        status: 200,
        body: { suggestions: ['And tomorrow?', 'Why?'] },
      })
    }
    expect(asked()).toHaveLength(1)
    expect(asked()[0]?.body.messages.at(-1)?.content).toContain('You said: Will it rain?')
    expect(given.billing.holds.size).toBe(holds)
    expect((await me.call(chatRoutes.tools)).body.followUps).toBe(true)
  })

  it('are requested anew once the answer was continued, and then kept again', async () => {
    const answers = ['It will rain.', '["Why?"]', ' Take a coat.', '["Which coat?"]']
    given.router.script = (call) => {
      const text = answers.shift() ?? ''
      call.start()
      call.text(isAsked(call) ? `{"suggestions":${text}}` : text)
      call.end('length')
    }
    const { chatId, messageId } = (await send(me, message('What now?'))).start
    expect((await suggestionsFor(chatId, messageId)).body).toEqual({ suggestions: ['Why?'] })
    await send(me, { model: 'v3', chatId, continueMessageId: messageId })
    for (let round = 0; round < 2; round += 1) {
      expect((await suggestionsFor(chatId, messageId)).body).toEqual({ suggestions: ['Which coat?'] })
    }
    expect(asked()).toHaveLength(2)
    expect(asked()[1]?.body.messages.at(-1)?.content).toContain('It will rain. Take a coat.')
  })

  it('are none where the model fails, says something else, or admins have not switched them on', async () => {
    suggesting('Sure! Ask me why.')
    const { start } = await send(me, message('Will it snow?'))
    expect((await suggestionsFor(start.chatId, start.messageId)).body).toEqual({ suggestions: [] })
    await allow(false)
    const off = await send(me, message('Will it hail?'))
    expect((await suggestionsFor(off.start.chatId, off.start.messageId)).body).toEqual({ suggestions: [] })
    expect(asked()).toHaveLength(1)
    expect((await me.call(chatRoutes.tools)).body.followUps).toBe(false)
  })

  it('are for the owner of the chat alone: 404 to others and after a question, 401 to guests', async () => {
    suggesting('{"suggestions":["Why?"]}')
    const { start } = await send(me, message('Mine?'))
    const stranger = chat.api.as(userPrincipal())
    expect((await suggestionsFor(start.chatId, start.messageId, stranger)).status).toBe(404)
    expect((await suggestionsFor(start.chatId, start.userMessageId)).status).toBe(404)
    expect((await suggestionsFor(start.chatId, 'ffffffffffffffff')).status).toBe(404)
    const guest = chat.api.as(guestPrincipal())
    expect((await suggestionsFor(start.chatId, start.messageId, guest)).status).toBe(401)
    expect(asked()).toHaveLength(0)
  })
})
