import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  given.router.calls.length = 0
  given.billing.state.fullWindow = undefined
})

const ofLimit = {
  'retry-after': '40',
  'ratelimit-limit': '5',
  'ratelimit-remaining': '0',
  'ratelimit-reset': '40',
}

describe.each(['text/event-stream', 'application/json'])('an answer that is asked for as %s', (accept) => {
  const refused = async (): Promise<unknown> => {
    const { status, headers, body } = await chat.api
      .as(userPrincipal())
      .call(chatRoutes.send, { body: message('x'), headers: { accept } })
    expect([status, body]).toMatchObject([429, { code: 'rate_limited' }])
    expect(headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      // As much as is left of it.
      'retry-after': expect.stringMatching(/^([1-9]|[123]\d|40)$/),
    })
    expect(headers['ratelimit-reset']).toBe(headers['retry-after'])
    return body
  }

  it("and refused by a model's limit says so with that limit's headers (429)", async () => {
    given.router.script = (call) => call.refuse('rate_limited', 'Too many requests for this model', ofLimit)
    expect(await refused()).toMatchObject({ error: 'Too many requests for this model' })
  })

  it("and refused by the window of its sender's plan says so with that window's headers, and no model is asked (429)", async () => {
    given.billing.state.fullWindow = ofLimit
    await refused()
    expect(given.router.calls).toEqual([])
  })
})
