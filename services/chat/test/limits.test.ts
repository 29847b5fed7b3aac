import { chatRoutes } from '@parley/contracts'
import { type ApiAnswer, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica } from './given-chat.ts'
import { dataUrl, pdfSaying } from './sample-files.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.reset()
  given.billing.state.fullWindow = undefined
})

const ofLimit = {
  'retry-after': '40',
  'ratelimit-limit': '5',
  'ratelimit-remaining': '0',
  'ratelimit-reset': '40',
}

/** Of a refusal that names the limit as it now is: as much of its time as is left. */
function expectLimit({ status, headers, body }: Pick<ApiAnswer, 'status' | 'headers' | 'body'>): void {
  expect([status, body]).toMatchObject([429, { code: 'rate_limited' }])
  expect(headers).toMatchObject({
    'ratelimit-limit': '5',
    'ratelimit-remaining': '0',
    'retry-after': expect.stringMatching(/^([1-9]|[123]\d|40)$/),
  })
  expect(headers['ratelimit-reset']).toBe(headers['retry-after'])
}

describe.each(['text/event-stream', 'application/json'])('an answer that is asked for as %s', (accept) => {
  const refused = async (): Promise<unknown> => {
    const answer = await chat.api.as(userPrincipal()).call(chatRoutes.send, { body: message('x'), headers: { accept } })
    expectLimit(answer)
    return answer.body
  }

  it("and refused by a model's limit has that limit's headers (429)", async () => {
    given.router.script = (call) => call.refuse('rate_limited', 'Too many requests for this model', ofLimit)
    expect(await refused()).toMatchObject({ error: 'Too many requests for this model' })
  })

  it("and refused by the window of its sender's plan has that window's headers, and no model is called (429)", async () => {
    given.billing.state.fullWindow = ofLimit
    await refused()
    expect(given.router.calls).toEqual([])
  })
})

it("an image refused by a model's limit has that limit's headers (429)", async () => {
  given.router.models.set('painter', modelInfo({ id: 'painter', modelType: 'image' }))
  given.router.paint = (call) => call.refuse('rate_limited', 'Too many requests for this model', ofLimit)
  const answer = await chat.api.as(userPrincipal()).call(chatRoutes.image, { body: { prompt: 'A cat' } })
  expectLimit(answer)
  expect(answer.body).toMatchObject({ error: 'Failed to generate image: Too many requests for this model' })
})

it('files that find no room beside those of running answers are refused, without a call, until one has ended (503)', async () => {
  given.router.models.set('reader', modelInfo({ id: 'reader', supportsFileAttachments: true }))
  const file = pdfSaying('Quarterly numbers')
  const { api } = await given.replica({ promptBounds: { owner: file.length } })
  const user = api.as(userPrincipal())
  const send = () =>
    user.post(
      '/api/chat',
      message('Read', { model: 'reader', attachments: [{ dataUrl: dataUrl(file), name: 'a.pdf' }] }),
    )
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  given.router.script = async (call) => {
    call.start()
    call.text('Read')
    await over
    call.end()
  }
  const first = send()
  await expect.poll(() => given.router.calls).toHaveLength(1)
  expect(await send()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(given.router.calls).toHaveLength(1)
  const withoutFiles = user.post('/api/chat', message('Hello'))
  await expect.poll(() => given.router.calls).toHaveLength(2)
  end()
  expect((await withoutFiles).status).toBe(200)
  expect((await first).status).toBe(200)
  expect((await send()).status).toBe(200)
})
