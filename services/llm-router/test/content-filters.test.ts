import { newId } from '@parley/kit'
import { keyPrincipal, type ProviderScript } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'
import { completion } from './given-router.ts'

let given: GivenApi
beforeAll(async () => {
  given = await givenApi({ breaker: { failures: 1, restMs: 600_000 } })
})
beforeEach(() => given.provider.reset())
afterAll(() => given.stop())

const streamOf = (events: readonly string[]): ProviderScript => ({
  ...{ status: 200, headers: { 'content-type': 'text/event-stream' } },
  body: events.map((event) => `${event}\n\n`).join(''),
})
const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}`
/** Answers without a piece, by model. */
const filtered = {
  gpt: streamOf([
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })}`,
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] })}`,
    'data: [DONE]',
  ]),
  claude: streamOf([
    named('message_start', { message: { id: 'msg_1', content: [], usage: { input_tokens: 3, output_tokens: 1 } } }),
    named('message_delta', { delta: { stop_reason: 'refusal', stop_sequence: null }, usage: { output_tokens: 1 } }),
    named('message_stop', {}),
  ]),
} as const
const asked = () => given.provider.calls.map(({ body }) => body.model)

describe.each(['gpt', 'claude'] as const)('an answer of %s that is filtered before its first piece', (model) => {
  it('is a refusal (502), is not retried, and says nothing of the model’s health', async () => {
    given.provider.reply(filtered[model])
    const { status, body } = await completion(given, model)
    const error = 'The AI provider refused this request. Please choose another model or shorten the chat.'
    expect([status, body]).toMatchObject([502, { code: 'provider_error', error }])
    expect(asked()).toEqual([`${model}-real`])
    expect((await completion(given, model)).status).toBe(200)
  })

  it('is left to the next model, as a refused request is', async () => {
    const id = newId()
    const own = model === 'gpt' ? { provider: 'openai' } : { provider: 'anthropic', sdkType: 'anthropic-sdk' }
    await given.model({ id, apiModelName: 'strict', fallbackModels: ['gpt'], ...own } as Parameters<
      GivenApi['model']
    >[0])
    for (const script of [filtered[model], { status: 400 }]) {
      given.provider.reset()
      given.provider.reply(script)
      expect((await completion(given, id)).lines[0]).toMatchObject({ type: 'start', model: 'gpt' })
      expect(asked()).toEqual(['strict', 'gpt-real'])
    }
  })
})

it.each(['gpt', 'claude'] as const)(
  'a program gets an answer of %s that is filtered before its first piece with its finish reason, free of charge',
  async (model) => {
    given.provider.reply(filtered[model])
    const body = { model, messages: [{ role: 'user', content: 'Hello' }], stream: true }
    const key = keyPrincipal()
    const answer = await given.as(key).post('/api/v1/chat/completions', body)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('"finish_reason":"content_filter"')
    expect(asked()).toEqual([`${model}-real`])
    expect(await given.ended(key)).toMatchObject({ outcome: 'complete', charge: 0 })
  },
)

it.each([
  ['claude', '/api/v1/chat/completions', '"finish_reason":"length"'],
  ['gpt', '/api/v1/messages', '"stop_reason":"max_tokens"'],
] as const)(
  'a program gets an answer of %s without any text, translated at %s, after one call and free of charge',
  async (model, path, end) => {
    for (const stream of [false, true]) {
      given.provider.reset()
      given.provider.reply({ text: '', finishReason: 'length' })
      const key = keyPrincipal()
      const body = { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1, stream }
      const { status, text } = await given.as(key).post(path, body)
      expect([status, text]).toEqual([200, expect.stringContaining(end)])
      expect(asked()).toEqual([`${model}-real`])
      expect(await given.ended(key)).toMatchObject({ outcome: 'complete', charge: 0 })
    }
  },
)

it('a program that gets no image from OpenRouter, as when a filter withheld it, is told so after one call (502)', async () => {
  const { id } = await given.model({
    ...{ id: newId(), provider: 'openrouter', sdkType: 'openrouter', modelType: 'image' },
    apiEndpoint: given.provider.openaiUrl,
  })
  given.provider.always({ image: 'none' })
  const draw = () => given.as(keyPrincipal()).post('/api/v1/images/generations', { model: id, prompt: 'A boat' })
  for (let nth = 1; nth <= 2; nth += 1) {
    const { status, text } = await draw()
    expect(status).toBe(502)
    expect(text).toContain('didn’t return an image')
    expect(given.provider.calls).toHaveLength(nth)
  }
})
