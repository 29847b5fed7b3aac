import { chatRoutes } from '@parley/contracts'
import { guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.calls.length = 0
})

const system = (): string => String(given.router.calls.at(-1)?.body.messages[0]?.content)

describe('study mode', () => {
  it('adds the tutor prompt to the system prompt, and is stored with its message', async () => {
    given.auth.settings.systemPrompt = 'Be brief.'
    const studying = await given.replica()
    const caller = studying.api.as(userPrincipal())
    const { start } = await send(caller, message('What is 12 × 12?', { studyModeEnabled: true }))
    expect(system()).toMatch(/^Be brief\.\n\nStudy mode is on/)
    const { messages } = (await caller.call(chatRoutes.get, { params: { id: start.chatId } })).body
    expect(messages.map(({ modes }) => modes)).toEqual([['study'], undefined])
    given.auth.settings.systemPrompt = ''
  })

  it('stays with a question that is regenerated or edited, and ends with the next one', async () => {
    const caller = chat.api.as(userPrincipal())
    const { start } = await send(caller, message('What is 12 × 12?', { studyModeEnabled: true }))
    const { chatId, messageId, userMessageId } = start
    await send(caller, { model: 'v3', chatId, regenerateMessageId: messageId })
    expect(system()).toContain('Study mode is on')
    await send(caller, message('What is 13 × 13?', { chatId, editMessageId: userMessageId }))
    expect(system()).toContain('Study mode is on')
    await send(caller, message('Just tell me', { chatId }))
    expect(system()).not.toContain('Study mode is on')
    const edited = message('14 × 14?', { chatId, editMessageId: userMessageId, studyModeEnabled: false })
    await send(caller, edited)
    expect(system()).not.toContain('Study mode is on')
  })

  it('is refused to guests', async () => {
    await send(chat.api.as(guestPrincipal()), message('What is 12 × 12?', { studyModeEnabled: true }))
    expect(system()).not.toContain('Study mode is on')
  })
})
