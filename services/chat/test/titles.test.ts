import { chatRoutes, type SignalPayload } from '@parley/contracts'
import { guestPrincipal, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo, modelInfo, type Script } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
/** Titles that reached the store, and whether they took the place of the old one. */
const kept: { title: string; taken: boolean }[] = []
const signals: SignalPayload<'chat-changed'>[] = []
beforeAll(async () => {
  given = await givenChat()
  given.router.models.set('small', modelInfo({ id: 'small', creditsPerMessage: 0 }))
  chat = await given.replica({
    stores: (stores) => ({
      ...stores,
      chats: {
        ...stores.chats,
        async retitle(id, ownerId, title) {
          const after = await stores.chats.retitle(id, ownerId, title)
          kept.push({ title: title.to, taken: after !== undefined })
          return after
        },
      },
    }),
  })
  given.signal.subscribe('chat-changed', (change) => void signals.push(change))
})
afterAll(() => given.stop())
beforeEach(async () => {
  await setTitles(true)
  given.router.calls.length = 0
  kept.length = 0
  signals.length = 0
  titledBy((call) => echo(call))
})

const setTitles = async (chatTitles: boolean) => {
  given.auth.settings.chatTitles = chatTitles
  await given.signal.publish('settings-changed', { version: 1 })
}
/** Scripts the calls for titles; answers are echoes. */
const titledBy = (script: Script) => {
  given.router.script = (call) => (isForTitle(call) ? script(call) : echo(call))
}
const isForTitle = ({ body }: { body: { generationId: string } }) => body.generationId.startsWith('chat_title-')
const say =
  (title: string): Script =>
  (call) => {
    call.start()
    call.text(title)
    call.end()
  }
const calls = () => given.router.calls.filter(isForTitle)
const titleOf = async (me: ReturnType<Replica['api']['as']>, id: string) =>
  (await me.call(chatRoutes.get, { params: { id }, query: {} })).body.title

describe('the title of a new chat', () => {
  it('is written by the cheapest model after the first answer alone, charged to nobody, and sent to other devices', async () => {
    titledBy(say('"Rain in Lisbon."'))
    const user = userPrincipal()
    const me = chat.api.as(user)
    const { start } = await send(me, message('Will it rain in Lisbon?'))
    expect(start.title).toBe('Will it rain in Lisbon?')
    await untilPasses(() => expect(signals.findLast(({ kind }) => kind === 'updated')?.title).toBe('Rain in Lisbon'))
    expect(await titleOf(me, start.chatId)).toBe('Rain in Lisbon')
    expect(calls().map(({ body }) => [body.model, body.allowLocked])).toEqual([['small', false]])
    expect(calls()[0]?.body.messages.at(-1)?.content).toContain('You said: Will it rain in Lisbon?')
    expect([...given.billing.holds.values()].filter(({ userId }) => userId === user.userId)).toHaveLength(1)
    await send(me, message('And tomorrow?', { chatId: start.chatId }))
    expect(calls()).toHaveLength(1)
  })

  it("stays the user's if the chat is renamed while the model writes one", async () => {
    const renamed = Promise.withResolvers<void>()
    titledBy(async (call) => {
      await renamed.promise
      say('Too late')(call)
    })
    const me = chat.api.as(userPrincipal())
    const { start } = await send(me, message('Call it what you like'))
    await me.call(chatRoutes.rename, { params: { id: start.chatId }, body: { title: 'Mine' } })
    renamed.resolve()
    await untilPasses(() => expect(kept).toEqual([{ title: 'Too late', taken: false }]))
    expect(await titleOf(me, start.chatId)).toBe('Mine')
  })

  it('stays the beginning of the message where the model fails, names nothing, or the setting is off', async () => {
    const me = chat.api.as(userPrincipal())
    titledBy(say('Not wanted'))
    await setTitles(false)
    const off = await send(me, message('Nobody is asked'))
    await setTitles(true)
    titledBy((call) => call.refuse('provider_error', 'Down'))
    const refused = await send(me, message('A provider that is down'))
    await untilPasses(() => expect(calls()).toHaveLength(1))
    titledBy(say('""'))
    const unnamed = await send(me, message('A model without a word'))
    await untilPasses(() => expect(calls()).toHaveLength(2))
    titledBy(say('Named'))
    const named = await send(me, message('A model with a word'))
    await untilPasses(() => expect(kept).toEqual([{ title: 'Named', taken: true }]))
    const ids = [refused, unnamed, named, off].map(({ start }) => start.chatId)
    expect(await Promise.all(ids.map((id) => titleOf(me, id)))).toEqual([
      'A provider that is down',
      'A model without a word',
      'Named',
      'Nobody is asked',
    ])
    expect(calls()).toHaveLength(3)
  })

  it('is requested from no model if the sender gave one, and for no guest', async () => {
    titledBy(say('Not wanted'))
    const me = chat.api.as(userPrincipal())
    const given = await send(me, message('Something', { title: 'Given' }))
    await send(chat.api.as(guestPrincipal()), message('Who am I?'))
    titledBy(say('Wanted'))
    await send(me, message('Something else'))
    await untilPasses(() => expect(kept).toEqual([{ title: 'Wanted', taken: true }]))
    expect(await titleOf(me, given.start.chatId)).toBe('Given')
    expect(calls()).toHaveLength(1)
  })
})
