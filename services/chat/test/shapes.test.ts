import { chatRoutes } from '@parley/contracts'
import { type FakeOutsider, guestPrincipal, startFakeOutsider, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo, modelInfo } from './fake-router.ts'
import { message, send } from './given-chat.ts'
import { type GivenTools, givenTools, inTurn, saying } from './given-tools.ts'
import { dataUrl, picture } from './sample-files.ts'

let given: GivenTools
let site: FakeOutsider
beforeAll(async () => {
  given = await givenTools()
  const able = { id: 'able', supportsTools: true, supportsImageAttachments: true }
  given.router.models.set('able', modelInfo(able))
  site = await startFakeOutsider((_call, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('The moon is far away.'),
  )
})
afterAll(async () => {
  await given.stop()
  await site.close()
})
beforeEach(() => {
  given.router.script = echo
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const shownTo = async (caller: ReturnType<GivenTools['chat']['api']['as']>, id: string) =>
  (await caller.call(chatRoutes.get, { params: { id } })).body

describe('the response shape of', () => {
  it('a chat has id, title, messages, model and both times', async () => {
    const caller = given.chat.api.as(userPrincipal())
    const { start } = await send(caller, message('A title'))
    const chat = await shownTo(caller, start.chatId)
    const common = { _id: start.chatId, title: 'A title', modelUsed: 'v3', createdAt: time, updatedAt: time }
    expect(chat).toEqual({ ...common, messages: [expect.anything(), expect.anything()], hasMore: false })
    const [listed] = (await caller.call(chatRoutes.history)).body
    expect(listed).toEqual({ ...common, messageCount: 2, pinned: false })
  })

  it('a message, its attachments, tool calls and search results has all documented fields', async () => {
    const url = `${site.url}/moon`
    const details = { publishedDate: '2026-01-01', author: 'Ada', highlights: ['far away'], score: 0.5 }
    given.search.found = [{ url, title: 'The moon', ...details }]
    given.router.script = inTurn((call) => {
      call.start()
      call.reasoning('I need a price.')
      call.tool('get_quote', { symbol: 'AAPL' })
      call.tool('get_quote', { symbol: 'NONE' })
      call.end('tool_calls')
    }, saying('Here it is.'))
    const caller = given.chat.api.as(userPrincipal())
    const asked = { model: 'able', webSearchEnabled: true, financeModeEnabled: true }
    const attachments = [{ dataUrl: dataUrl(await picture('png')) }]
    const { start } = await send(caller, message('How far is it?', { ...asked, attachments }))
    const [question, answer] = (await shownTo(caller, start.chatId)).messages
    expect(question).toMatchObject({ id: start.userMessageId, role: 'user', content: 'How far is it?' })
    expect(question?.attachments).toEqual([
      {
        id: expect.any(String),
        type: 'image',
        mimeType: 'image/png',
        url: expect.stringMatching(/^\/api\/chat\/files\/\w+$/),
        name: expect.stringMatching(/./),
        size: expect.any(Number),
        detail: 'high',
        width: 40,
        height: 20,
      },
    ])
    expect(answer).toMatchObject({
      id: start.messageId,
      role: 'assistant',
      content: 'Here it is.',
      reasoning: 'I need a price.',
      webSearchQuery: 'How far is it?',
      webSearchResults: [{ title: 'The moon', url, domain: '127.0.0.1', summary: 'The moon is far away.', ...details }],
    })
    const [, called, failed] = answer?.toolCalls ?? []
    const common = { toolName: 'get_quote', toolCallId: expect.stringMatching(/./), timestamp: time }
    expect(called).toEqual({
      ...common,
      parameters: { symbol: 'AAPL' },
      status: 'completed',
      result: expect.objectContaining({ price: 190.5 }),
      resultNormalized: 'AAPL: 190.5 USD (-1.25, -0.65 %)',
    })
    const error = 'No price is known of NONE.'
    expect(failed).toEqual({ ...common, parameters: { symbol: 'NONE' }, status: 'error', error })
  })

  it('a guest has id, limit, remaining messages and the time of the reset', async () => {
    const { body } = await given.chat.api.as(guestPrincipal()).call(chatRoutes.guestInfo)
    expect(body).toEqual({
      guestSession: {
        id: expect.stringMatching(/./),
        remainingMessages: 2,
        messageLimit: 2,
        nextResetDate: time,
      },
      message: expect.stringMatching(/./),
    })
    expect(Date.parse(body.guestSession.nextResetDate)).toBeGreaterThan(Date.now())
  })
})
