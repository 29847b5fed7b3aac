import Anthropic from '@anthropic-ai/sdk'
import { identityHeader } from '@parley/kit'
import { answerJson, keyPrincipal, startFakeOutsider, tinyPng } from '@parley/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}
const calls = [
  { id: 'call_1', name: 'weather', parameters: { city: 'Köln' } },
  { id: 'call_2', name: 'weather', parameters: { city: 'Bonn' } },
]
const usage = { inputTokens: 12, outputTokens: 34 }

/** Both models are called in both dialects: one dialect is relayed, the other translated. */
describe.each(['gpt', 'claude'])('the official clients with the model %s', (model) => {
  let given: GivenApi
  let openai: OpenAI
  let anthropic: Anthropic
  beforeAll(async () => {
    given = await givenApi()
    // Stands in for the gateway, which knows the key.
    const asKey: typeof fetch = (input, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set(identityHeader, given.identity.sign(keyPrincipal()))
      return fetch(input, { ...init, headers })
    }
    const shared = { apiKey: 'sk-unused', fetch: asKey, maxRetries: 0 }
    openai = new OpenAI({ ...shared, baseURL: `${given.url}/api/v1` })
    anthropic = new Anthropic({ ...shared, baseURL: `${given.url}/api` })
  })
  afterAll(() => given.stop())
  beforeEach(() => given.provider.reset())
  const prompt = () => given.provider.calls.at(-1)?.prompt
  const sent = () => given.provider.calls.at(-1)?.body as unknown as Record<string, unknown>
  const user = { role: 'user' as const, content: 'Hello' }

  it('read a chat completion, whole and streamed', async () => {
    const script = { chunks: ['Grüße', ' aus Köln'], usage, splitUtf8: true, crlf: true }
    given.provider.always(script)
    const whole = await openai.chat.completions.create({ model, messages: [user] })
    expect(whole.choices[0]?.message.content).toBe('Grüße aus Köln')
    expect(whole.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 })
    const stream = await openai.chat.completions.create({
      ...{ model, messages: [user], stream: true },
      stream_options: { include_usage: true },
    })
    const texts: string[] = []
    let told: unknown
    let finish: string | null | undefined
    let cost: unknown
    for await (const { choices, usage: figures, ...more } of stream) {
      if ('credits' in more) cost = more.credits
      texts.push(choices[0]?.delta.content ?? '')
      finish = choices[0]?.finish_reason ?? finish
      told = figures ?? told
    }
    expect([texts.join(''), finish]).toEqual(['Grüße aus Köln', 'stop'])
    expect(told).toMatchObject({ prompt_tokens: 12, completion_tokens: 34 })
    expect(cost).toEqual({ charged: model === 'gpt' ? 5 : 10, remaining: expect.any(Number) })
  })

  it('get parallel tool calls, and return their results', async () => {
    given.provider.always({ toolCalls: calls, usage })
    const tools = [{ type: 'function' as const, function: weather }]
    const asked = openai.chat.completions.stream({ model, messages: [user], tools, tool_choice: 'required' })
    const message = (await asked.finalChatCompletion()).choices[0]?.message
    expect(message?.tool_calls?.map((call) => ('function' in call ? JSON.parse(call.function.arguments) : {}))).toEqual(
      [{ city: 'Köln' }, { city: 'Bonn' }],
    )
    given.provider.reset()
    const results = (message?.tool_calls ?? []).map(({ id }) => ({
      ...{ role: 'tool' as const, tool_call_id: id, content: `sunny for ${id}` },
    }))
    const after = [user, ...(message ? [message] : []), ...results]
    await openai.chat.completions.create({ model, messages: after, tools, parallel_tool_calls: false })
    expect(prompt()?.messages.flatMap(({ results: told }) => told)).toHaveLength(2)
  })

  it('send images, stop words, limits and a schema for the answer', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    await given.model({
      ...{ id: `${model}-sees`, provider: model === 'gpt' ? 'openai' : 'anthropic' },
      ...{ sdkType: model === 'gpt' ? 'openai-sdk' : 'anthropic-sdk', supportsImageAttachments: true },
    })
    await openai.chat.completions.create({
      ...{ model: `${model}-sees`, max_completion_tokens: 77, stop: ['END'], temperature: 0.5 },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${tinyPng}` } },
          ],
        },
      ],
    })
    expect(JSON.stringify(sent())).toContain(tinyPng)
    expect(sent()).toMatchObject(
      model === 'gpt'
        ? { max_completion_tokens: 77, stop: ['END'], response_format: { type: 'json_schema' } }
        : { max_tokens: 77, stop_sequences: ['END'], output_config: { format: { type: 'json_schema', schema } } },
    )
  })

  it('read a message in Anthropic’s format, whole and streamed, with tool calls', async () => {
    given.provider.always({ chunks: ['Let', ' me see'], toolCalls: calls, usage })
    const { parameters: input_schema, ...tool } = weather
    const body = {
      ...{ model, max_tokens: 100, system: 'Be brief', messages: [user] },
      tools: [{ ...tool, input_schema: { ...input_schema, type: 'object' as const } }],
    }
    const whole = await anthropic.messages.create(body)
    expect(whole._request_id).toMatch(/^\S{8,}$/)
    const streamed = await anthropic.messages.stream(body).finalMessage()
    for (const message of [whole, streamed]) {
      expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'tool_use' })
      expect(message.usage).toMatchObject({ output_tokens: 34 })
      expect(
        message.content.map((block) => (block.type === 'text' ? block.text : (block as { input: unknown }).input)),
      ).toEqual(['Let me see', { city: 'Köln' }, { city: 'Bonn' }])
    }
    given.provider.reset()
    await anthropic.messages.create({
      ...body,
      messages: [
        user,
        { role: 'assistant', content: whole.content },
        {
          role: 'user',
          content: whole.content.flatMap((block) =>
            block.type === 'tool_use'
              ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'sunny' }]
              : [],
          ),
        },
      ],
    })
    expect(prompt()?.messages.flatMap(({ results }) => results)).toHaveLength(2)
    expect(JSON.stringify(sent())).toContain('Be brief')
  })

  it('read a response in the Responses format, whole and streamed, with tool calls', async () => {
    given.provider.always({ chunks: ['Good', ' day'], usage })
    const whole = await openai.responses.create({ model, input: 'Hello', instructions: 'Be brief' })
    expect([whole.output_text, whole.status]).toEqual(['Good day', 'completed'])
    expect(whole.usage).toMatchObject({ input_tokens: 12, output_tokens: 34 })
    const streamed = await openai.responses
      .stream({ model, input: [{ role: 'user', content: 'Hello' }] })
      .finalResponse()
    expect(streamed.output_text).toBe('Good day')
    given.provider.always({ toolCalls: calls, usage })
    const tools = [{ type: 'function' as const, strict: false, ...weather }]
    const called = await openai.responses.stream({ model, input: 'Hello', tools }).finalResponse()
    const made = called.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    expect(made.map(({ arguments: text }) => JSON.parse(text))).toEqual([{ city: 'Köln' }, { city: 'Bonn' }])
    given.provider.reset()
    const results = made.map(({ call_id }) => ({
      ...{ type: 'function_call_output' as const, call_id, output: 'sunny' },
    }))
    await openai.responses.create({ model, tools, input: [user, ...made, ...results] })
    expect(prompt()?.messages.flatMap(({ results: told }) => told)).toHaveLength(2)
  })

  it('may send any character in a text, such as the NUL that a tool printed, and continue a response with it', async () => {
    const printed = 'a\u0000b\ud800'
    const made = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } }
    const results = () => prompt()?.messages.flatMap(({ results: told }) => told.map(({ text }) => text))
    await openai.chat.completions.create({
      ...{ model, tools: [{ type: 'function', function: weather }] },
      messages: [
        user,
        { role: 'assistant', tool_calls: [made] },
        { role: 'tool', tool_call_id: 'call_1', content: printed },
      ],
    })
    expect(results()).toEqual([printed])
    await anthropic.messages.create({ model, max_tokens: 9, messages: [{ role: 'user', content: printed }] })
    expect(prompt()?.messages.at(-1)?.text).toBe(printed)
    const [key, tools] = [keyPrincipal(), [{ type: 'function', ...weather }]]
    const respond = async (body: object) =>
      (await given.as(key).post('/api/v1/responses', { model, tools, ...body })).body as { id: string }
    const { id: previous_response_id } = await respond({
      instructions: printed,
      input: [
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: printed },
      ],
    })
    given.provider.reset()
    await respond({ previous_response_id, input: 'Go on' })
    expect(results()).toEqual([printed])
  })

  it('read that a prompt is too long in words that agents know, without the provider’s own', async () => {
    const message = 'secret-upstream-detail'
    const refusals = {
      gpt: { error: { message, code: 'context_length_exceeded' } },
      claude: { type: 'error', error: { message: `prompt is too long: 9 tokens > 8 maximum ${message}` } },
    }
    const script = { status: 400, body: JSON.stringify(refusals[model as keyof typeof refusals]) }
    const told = expect.stringMatching(
      /^(?!.*secret).*prompt is too long: this model's maximum context length is 128000 tokens/,
    )
    for (const ask of [
      () => openai.chat.completions.create({ model, messages: [user] }),
      () => openai.responses.create({ model, input: 'Hello' }),
      () => anthropic.messages.create({ model, max_tokens: 5, messages: [user] }),
    ]) {
      given.provider.reply(script, { status: 400 })
      await expect(ask()).rejects.toMatchObject({ status: 400, message: told })
      await expect(ask()).rejects.toMatchObject({ status: 400, message: expect.not.stringContaining('too long') })
    }
  })

  it('read which field of a request in the provider’s own format it refused, without its words', async () => {
    const message = 'secret-upstream-detail'
    const refusals = {
      gpt: { error: { message, param: 'temperature' } },
      claude: { type: 'error', error: { message: `temperature: ${message}` } },
    }
    const script = { status: 400, body: JSON.stringify(refusals[model as keyof typeof refusals]) }
    const ask = (wishes: object) =>
      model === 'gpt'
        ? openai.chat.completions.create({ model, messages: [user], ...wishes })
        : anthropic.messages.create({ model, max_tokens: 5, messages: [user], ...wishes })
    given.provider.reply(script, script)
    const told = expect.stringMatching(/^(?!.*secret).*The AI provider refused “temperature”/)
    await expect(ask({ temperature: 0.5 })).rejects.toMatchObject({ status: 400, message: told })
    const untold = expect.stringMatching(/The AI provider refused this request/)
    await expect(ask({})).rejects.toMatchObject({ status: 400, message: untold })
  })

  it('throw their own error classes', async () => {
    const chat = (body: object) => openai.chat.completions.create({ model, messages: [user], ...body } as never)
    await expect(chat({ model: 'nothing' })).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    await expect(chat({ n: 2 })).rejects.toMatchObject({ status: 400, param: 'n' })
    given.billing.refusal = { status: 402, code: 'insufficient_credits' }
    await expect(chat({})).rejects.toMatchObject({ status: 402, code: 'insufficient_quota' })
    await expect(anthropic.messages.create({ model, max_tokens: 5, messages: [user] })).rejects.toMatchObject({
      ...{ status: 402, type: 'billing_error' },
    })
    given.billing.refusal = undefined
    given.provider.reply({ chunks: ['One', ' two'], errorFrameAfter: 1 })
    const stream = openai.chat.completions.stream({ model, messages: [user] })
    await expect(stream.finalChatCompletion()).rejects.toThrow('The AI provider couldn’t answer')
  })

  it('list the models and find one', async () => {
    const ids: string[] = []
    for await (const { id } of openai.models.list()) ids.push(id)
    expect(ids).toContain(model)
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, object: 'model' })
    const names: string[] = []
    for await (const { id, type, display_name: name } of anthropic.models.list()) names.push(`${type} ${id} ${name}`)
    expect(names).toContain(`model ${model} ${model}`)
    const known = await anthropic.models.retrieve(model)
    expect([known.type, known.id, Number.isNaN(Date.parse(known.created_at))]).toEqual(['model', model, false])
  })

  it('have Anthropic’s beta headers passed to Anthropic, and to no other provider', async () => {
    const asked = { model, max_tokens: 9, messages: [user], betas: ['one-2025-01-01', 'two-2025-02-02'] }
    expect((await anthropic.beta.messages.create(asked)).content).toMatchObject([{ text: 'You said: Hello' }])
    const told = given.provider.calls.at(-1)?.headers['anthropic-beta']
    expect(told).toBe(model === 'claude' ? 'one-2025-01-01,two-2025-02-02' : undefined)
    const wrong = anthropic.messages.create({ ...asked, betas: undefined } as never, {
      headers: { 'anthropic-beta': 'one\ttwo' },
    })
    await expect(wrong).rejects.toMatchObject({ status: 400 })
  })
})

describe('the official client of OpenAI', () => {
  it('gets embeddings and an image, each for the price of its model', async () => {
    const given = await givenApi()
    const key = keyPrincipal()
    const openai = new OpenAI({
      ...{ apiKey: 'sk-unused', maxRetries: 0, baseURL: `${given.url}/api/v1` },
      fetch: (input, init = {}) => {
        const headers = new Headers(init.headers)
        headers.set(identityHeader, given.identity.sign(key))
        return fetch(input, { ...init, headers })
      },
    })
    await given.model({ id: 'draws', provider: 'openai', modelType: 'image', creditsPerMessage: 7 })
    const asked = { prompt: 'A dot', size: '1024x1024', response_format: 'b64_json' } as const
    const image = await openai.images.generate({ ...asked, model: 'draws' })
    expect(image.data?.[0]?.b64_json).toBe(tinyPng)
    const { response_format: format, ...more } = asked
    // OpenAI's newer models always return bytes and refuse the field.
    expect(given.provider.calls[0]?.body).toEqual({ ...more, model: 'draws', n: 1 })
    const streamed = openai.images.generate({ ...asked, model: 'draws', stream: true })
    await expect(streamed).rejects.toMatchObject({ status: 400, param: 'stream' })
    await given.model({ id: 'paints', provider: 'xai', modelType: 'image' })
    await openai.images.generate({ ...asked, model: 'paints' })
    expect(given.provider.calls[1]?.body).toMatchObject({ response_format: format })
    expect(await given.ended(key)).toMatchObject({ model: 'draws', charge: 7, outcome: 'complete' })
    const bodies: object[] = []
    const outsider = await startFakeOutsider(({ body }, response) => {
      bodies.push(JSON.parse(body))
      const data = [{ object: 'embedding', index: 0, embedding: [0.5, -1] }]
      answerJson(response, { object: 'list', data, model: 'e', usage: { prompt_tokens: 2, total_tokens: 2 } })
    })
    await given.model({ id: 'embeds', provider: 'openai', apiEndpoint: outsider.url, creditsPerMessage: 1 })
    const embedder = keyPrincipal()
    const made = await given
      .as(embedder)
      .post('/api/v1/embeddings', { model: 'embeds', input: ['a', 'b'], api_base: 'x' })
    expect([made.status, made.body]).toMatchObject([200, { data: [{ embedding: [0.5, -1] }] }])
    expect(bodies).toEqual([{ model: 'embeds', input: ['a', 'b'] }])
    expect(await given.ended(embedder)).toMatchObject({
      ...{ charge: 1, usage: { inputTokens: 2, outputTokens: 0, estimated: false } },
    })
    await given.model({ id: 'typed', provider: 'openai', modelType: 'embedding', apiEndpoint: outsider.url })
    const typed = await given.as(embedder).post('/api/v1/embeddings', { model: 'typed', input: 'a' })
    expect([typed.status, bodies.at(-1)]).toEqual([200, { model: 'typed', input: 'a' }])
    // Several clients read only base64, which not every provider knows.
    const coded = { model: 'typed', input: 'a', encoding_format: 'base64' }
    const embedding = Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64')
    const read = await given.as(embedder).post('/api/v1/embeddings', coded)
    expect(read.body).toMatchObject({ object: 'list', data: [{ index: 0, embedding }], usage: { prompt_tokens: 2 } })
    expect((await openai.embeddings.create({ model: 'typed', input: 'a' })).data[0]?.embedding).toEqual([0.5, -1])
    // As many tokens as OpenAI takes at once.
    const tokens = Array.from({ length: 1_000 }, () => Array.from({ length: 300 }, () => 1))
    const many = await given.as(embedder).post('/api/v1/embeddings', { model: 'typed', input: tokens })
    expect(many.status).toBe(200)
    await outsider.close()
    const written = openai.chat.completions.create({ model: 'typed', messages: [{ role: 'user', content: 'a' }] })
    await expect(written).rejects.toMatchObject({ status: 400 })
    await expect(openai.embeddings.create({ model: 'claude', input: 'a' })).rejects.toMatchObject({ status: 400 })
    await expect(openai.embeddings.create({ model: 'typed', input: '' })).rejects.toMatchObject({ status: 400 })
    await given.stop()
  })
})
