import type { KeyPrincipal } from '@parley/contracts'
import { identityHeader, newId } from '@parley/kit'
import { keyPrincipal, testEvent } from '@parley/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

let given: GivenApi
beforeAll(async () => {
  given = await givenApi()
})
afterAll(() => given.stop())
beforeEach(() => given.provider.reset())

/** The official client of a key. */
function clientOf(key: KeyPrincipal, api: GivenApi = given): OpenAI {
  // Stands in for the gateway, which knows the key.
  const asKey: typeof fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set(identityHeader, api.identity.sign(key))
    return fetch(input, { ...init, headers })
  }
  return new OpenAI({ apiKey: 'sk-unused', fetch: asKey, maxRetries: 0, baseURL: `${api.url}/api/v1` })
}
/** The conversation of the last call, as the provider got it. */
const told = () => given.provider.calls.at(-1)?.prompt.messages.map(({ role, text }) => [role, text])
const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
}

describe.each(['gpt', 'claude'])('a response of the model %s', (model) => {
  it.each([false, true])('is continued by its id, streamed: %s', async (stream) => {
    const openai = clientOf(keyPrincipal())
    const ask = async (body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>) =>
      stream ? await openai.responses.stream(body).finalResponse() : await openai.responses.create(body)
    given.provider.reply({ chunks: ['Sunny\u0000'] }, { chunks: ['Rain'] }, { chunks: ['Snow'] })
    const first = await ask({ model, input: 'Today?', instructions: 'Be brief', metadata: { of: 'test' } })
    expect(first).toMatchObject({ store: true, previous_response_id: null, metadata: { of: 'test' } })
    const second = await ask({ model, input: 'Tomorrow?', previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
    const conversation = [
      ['user', 'Today?'],
      ['assistant', 'Sunny\u0000'],
      ['user', 'Tomorrow?'],
    ]
    expect(told()).toEqual(conversation)
    await ask({ model, input: [{ role: 'user', content: 'And then?' }], previous_response_id: second.id, store: false })
    expect(told()).toEqual([...conversation, ['assistant', 'Rain'], ['user', 'And then?']])
    // Two answers may continue the same one.
    await ask({ model, input: 'Or?', previous_response_id: first.id })
    expect(told()).toEqual([...conversation.slice(0, 2), ['user', 'Or?']])
  })

  it('is continued with the result of its call', async () => {
    const openai = clientOf(keyPrincipal())
    given.provider.reply({ toolCalls: [{ id: 'call_1', name: 'weather', parameters: { city: 'Köln' } }] })
    const called = await openai.responses.create({ model, input: 'Weather?', tools: [weather] })
    await openai.responses.create({
      ...{ model, tools: [weather], previous_response_id: called.id },
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'rain' }],
    })
    const messages = given.provider.calls.at(-1)?.prompt.messages ?? []
    expect(messages.flatMap(({ calls }) => calls)).toMatchObject([{ id: 'call_1', name: 'weather' }])
    expect(messages.flatMap(({ results }) => results)).toEqual([{ id: 'call_1', text: 'rain' }])
  })

  it('is found, with the items of its request, and can be deleted', async () => {
    const openai = clientOf(keyPrincipal())
    const input = ['One', 'Two', 'Three'].map((content) => ({ role: 'user' as const, content }))
    const made = await openai.responses.create({ model, input })
    const limits = { 'x-ratelimit-limit-requests': expect.any(String) }
    const found = await openai.responses.retrieve(made.id).withResponse()
    expect(found.data).toMatchObject({ id: made.id, output: made.output, store: true })
    expect(Object.fromEntries(found.response.headers)).toMatchObject(limits)
    const items = []
    for await (const item of openai.responses.inputItems.list(made.id, { order: 'asc', limit: 2 })) items.push(item)
    expect(items).toMatchObject(
      ['One', 'Two', 'Three'].map((text) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      })),
    )
    const list = (query: OpenAI.Responses.InputItemListParams) => openai.responses.inputItems.list(made.id, query)
    const newest = await list({ limit: 1 }).withResponse()
    expect(newest.data).toMatchObject({ data: [items[2]], has_more: true })
    expect(Object.fromEntries(newest.response.headers)).toMatchObject(limits)
    const last = await list({ order: 'asc', limit: 1, after: items[1]?.id ?? '' })
    expect(last).toMatchObject({ data: [items[2]], has_more: false })
    await expect(list({ after: 'item_unknown' })).rejects.toMatchObject({ status: 400, param: 'after' })
    expect(await openai.responses.retrieve(made.id, { stream: false })).toMatchObject({ id: made.id })
    // The official client would read a whole response as a stream without events.
    const streamed = openai.responses.retrieve(made.id, { stream: true, starting_after: 3 })
    await expect(streamed).rejects.toMatchObject({ status: 400, param: 'stream' })
    const deleted = await openai.responses.delete(made.id).withResponse()
    expect(deleted.data).toEqual({ id: made.id, object: 'response', deleted: true })
    expect(Object.fromEntries(deleted.response.headers)).toMatchObject(limits)
    await expect(openai.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
    await expect(openai.responses.delete(made.id)).rejects.toMatchObject({ status: 404 })
  })

  it('cannot be cancelled, because none runs in the background', async () => {
    const openai = clientOf(keyPrincipal())
    const made = await openai.responses.create({ model, input: 'Today?' })
    await expect(openai.responses.cancel(made.id)).rejects.toMatchObject({ status: 400, param: 'id' })
    await expect(openai.responses.cancel('resp_unknown')).rejects.toMatchObject({ status: 404 })
  })

  it('has its prompt counted before, with the conversation that it continues, free of charge', async () => {
    const key = keyPrincipal()
    const openai = clientOf(key)
    const { id } = await openai.responses.create({ model, input: 'word '.repeat(2_000) })
    const calls = given.provider.calls.length
    const count = async (body: OpenAI.Responses.InputTokenCountParams) => {
      const counted = await openai.responses.inputTokens.count({ model, ...body })
      expect(counted.object).toBe('response.input_tokens')
      return counted.input_tokens
    }
    const alone = await count({ input: 'Go on' })
    expect(alone).toBeGreaterThan(0)
    expect(await count({ input: 'Go on', previous_response_id: id })).toBeGreaterThan(alone + 1_500)
    await expect(count({ input: 'Go on', model: 'nothing' })).rejects.toMatchObject({ status: 404 })
    expect(given.provider.calls).toHaveLength(calls)
  })
})

it('a conversation that refers to items of stored responses is complete, as the AI SDK sends it', async () => {
  const key = keyPrincipal()
  const openai = clientOf(key)
  given.provider.reply(
    { chunks: ['Sunny'] },
    { chunks: ['I look'], toolCalls: [{ id: 'call_1', name: 'weather', parameters: {} }] },
  )
  const question = { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'Today?' }] }
  const first = await openai.responses.create({ model: 'gpt', input: [question] })
  const referring = (response: OpenAI.Responses.Response) =>
    response.output.map(({ id }) => ({ type: 'item_reference' as const, id: id as string }))
  const second = await openai.responses.create({
    ...{ model: 'claude', tools: [weather] },
    input: [question, ...referring(first), { role: 'user', content: 'Tomorrow?' }],
  })
  expect(told()).toEqual([
    ['user', 'Today?'],
    ['assistant', 'Sunny'],
    ['user', 'Tomorrow?'],
  ])
  const result = { type: 'function_call_output' as const, call_id: 'call_1', output: 'rain' }
  const third = await openai.responses.create({
    ...{ model: 'claude', tools: [weather], previous_response_id: second.id },
    input: [result],
  })
  const messages = given.provider.calls.at(-1)?.prompt.messages ?? []
  expect(messages.flatMap(({ calls }) => calls)).toMatchObject([{ id: 'call_1' }])
  expect(
    told()
      ?.slice(0, 3)
      .map(([, text]) => text),
  ).toEqual(['Today?', 'Sunny', 'Tomorrow?'])
  // Of the items that another owner refers to, none is found.
  const stranger = clientOf(keyPrincipal())
  const asked = { model: 'gpt', input: [...referring(third), { role: 'user' as const, content: 'Hi' }] }
  await expect(stranger.responses.create(asked)).rejects.toMatchObject({ status: 400, param: 'input' })
})

it('a response belongs to its owner: another of their keys continues it, and nobody else', async () => {
  const key = keyPrincipal()
  const { id } = await clientOf(key).responses.create({ model: 'gpt', input: 'Hello' })
  const other = clientOf(keyPrincipal({ userId: key.userId }))
  expect((await other.responses.retrieve(id)).id).toBe(id)
  const stranger = clientOf(keyPrincipal())
  const refused = { status: 404, code: null, type: 'invalid_request_error' }
  await expect(stranger.responses.retrieve(id)).rejects.toMatchObject(refused)
  await expect(stranger.responses.inputItems.list(id)).rejects.toMatchObject(refused)
  await expect(stranger.responses.delete(id)).rejects.toMatchObject(refused)
  const asked = { model: 'gpt', input: 'And?', previous_response_id: id }
  const calls = given.provider.calls.length
  await expect(stranger.responses.create(asked)).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
  expect(given.provider.calls).toHaveLength(calls)
  expect(await other.responses.create(asked)).toMatchObject({ status: 'completed' })
})

it('a response whose request says so is not stored, nor is one that broke off', async () => {
  const openai = clientOf(keyPrincipal())
  const unstored = await openai.responses.create({ model: 'gpt', input: 'Hello', store: false })
  expect(unstored).toMatchObject({ store: false })
  await expect(openai.responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 })
  given.provider.reply({ chunks: ['Half', 'more'], cutAfterChunks: 1 })
  let id = ''
  const stream = await openai.responses.create({ model: 'gpt', input: 'Hello', stream: true })
  const read = async () => {
    for await (const event of stream) if (event.type === 'response.created') id = event.response.id
  }
  await expect(read()).rejects.toThrow()
  expect(id).not.toBe('')
  await expect(openai.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
})

it('a conversation from which a response was deleted is not continued without it', async () => {
  const openai = clientOf(keyPrincipal())
  const first = await openai.responses.create({ model: 'gpt', input: 'One' })
  const second = await openai.responses.create({ model: 'gpt', input: 'Two', previous_response_id: first.id })
  await openai.responses.delete(first.id)
  const third = openai.responses.create({ model: 'gpt', input: 'Three', previous_response_id: second.id })
  await expect(third).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
})

it('a conversation of OpenAI’s Conversations API is refused instead of being forgotten', async () => {
  const asked = clientOf(keyPrincipal()).responses.create({ model: 'gpt', input: 'Hello', conversation: 'conv_1' })
  await expect(asked).rejects.toMatchObject({ status: 400, param: 'conversation' })
})

it('stored responses are exported with the account, and erased with it, including one that ends later', async () => {
  const key = keyPrincipal()
  const openai = clientOf(key)
  given.provider.reply({ chunks: ['Answered text'] })
  const { id } = await openai.responses.create({ model: 'gpt', input: 'Exported text' })
  const { userId } = key
  await given.bus.publish([testEvent('auth.data-export-requested', userId, { userId, exportId: 'e1' })])
  await expect.poll(() => given.exports.filesOf('e1')).toBeDefined()
  const exported = JSON.parse(String(given.exports.filesOf('e1')?.get('api-responses.json')))
  expect(exported).toMatchObject([{ input: [{ role: 'user', content: 'Exported text' }], response: { id } }])
  await given.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId: newId() })])
  const found = () =>
    openai.responses.retrieve(id).then(
      () => true,
      () => false,
    )
  await expect.poll(found).toBe(false)
  const late = await openai.responses.create({ model: 'gpt', input: 'Late' })
  await expect(openai.responses.retrieve(late.id)).rejects.toMatchObject({ status: 404 })
})

it('with a retention of 0 days nothing is stored', async () => {
  const api = await givenApi({ responseRetentionDays: 0 })
  try {
    const openai = clientOf(keyPrincipal(), api)
    const response = await openai.responses.create({ model: 'gpt', input: 'Hello' })
    expect(response).toMatchObject({ store: false })
    await expect(openai.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 })
  } finally {
    await api.stop()
  }
})
