import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GivenChat, givenChat, message, type Replica } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())

const ofModel = {
  'retry-after': '40',
  'ratelimit-limit': '5',
  'ratelimit-remaining': '0',
  'ratelimit-reset': '40',
}
it.each(['text/event-stream', 'application/json'])(
  "an answer that a model's limit refuses says so with that limit's headers (429, %s)",
  async (accept) => {
    given.router.script = (call) => call.refuse('rate_limited', 'Too many requests for this model', ofModel)
    const { status, headers, body } = await chat.api
      .as(userPrincipal())
      .call(chatRoutes.send, { body: message('x'), headers: { accept } })
    expect([status, body]).toMatchObject([429, { code: 'rate_limited', error: 'Too many requests for this model' }])
    expect(headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      // As much as is left of it.
      'retry-after': expect.stringMatching(/^([1-9]|[123]\d|40)$/),
    })
    expect(headers['ratelimit-reset']).toBe(headers['retry-after'])
  },
)
