import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { type ProviderCall, waitUntil } from '@parley/testing'
import { generateObject, generateText, isStepCount, streamText, tool } from 'ai'
import { scanEndpoint } from 'compatcanary'
import OpenAI from 'openai'
import { beforeEach, describe, expect } from 'vitest'
import { z } from 'zod'
import { asAdmin, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let admin: Awaited<ReturnType<typeof asAdmin>>
let people = 0
const fields = { group: 'Programs', enabled: true, creditsPerMessage: 1, supportsTools: true } as const

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  admin = await asAdmin(on.system)
  const translated = { provider: 'anthropic', sdkType: 'anthropic-sdk', apiEndpoint: on.provider.url }
  for (const model of [
    { ...fields, id: 'relayed', name: 'Relayed', provider: 'deepseek' },
    { ...fields, id: 'translated', name: 'Translated', ...translated },
  ]) {
    const { status, text } = await admin.api.post('/api/admin/models', model)
    expect(status, text).toBe(201)
  }
})
// Other files expect the default models.
it.afterAll(async () => {
  for (const id of ['relayed', 'translated']) await admin.api.delete(`/api/admin/models/${id}`)
  await admin.close()
})

const city = z.object({ city: z.string() })
const weather = { name: 'weather', description: 'The weather of a city' }
const callOfWeather = { id: 'call_1', name: 'weather', parameters: { city: 'Köln' } }
const usage = { inputTokens: 12, outputTokens: 34 }
const fact = { name: 'Köln', people: 1_084_000 }
const factSchema = z.object({ name: z.string(), people: z.number() })
const sentToProvider = (): ProviderCall | undefined => on.provider.calls.at(-1)

describe.each(['relayed', 'translated'])('unmodified, with a model whose answers are %s,', (model) => {
  let person: Person
  let apiKey: string
  let baseURL: string
  const user = [{ role: 'user' as const, content: 'Hello' }]

  beforeEach(async () => {
    on.provider.reset()
    people += 1
    person = await registerPerson(on.system, `program${people}`)
    const { status, body } = await person.api.post('/api/user/keys', { label: 'Program' })
    expect(status).toBe(201)
    apiKey = (body as { secret: string }).secret
    baseURL = `${on.system.url}/api/v1`
  })

  /** Each call costs one of a new account's hundred credits. */
  const isPaid = () =>
    waitUntil(async () => {
      const { body } = await person.api.get('/api/user/credits')
      const { remaining, held } = body as { remaining: number; held: number }
      return held === 0 && remaining === 100 - on.provider.calls.length
    }, 'every call of the provider to be paid once')

  it('the clients of OpenAI and Anthropic get whole and streamed answers', async () => {
    const openai = new OpenAI({ apiKey, baseURL })
    const whole = await openai.chat.completions.create({ model, messages: user })
    expect(whole.choices[0]?.message.content).toBe('You said: Hello')
    const streamed = await openai.chat.completions.stream({ model, messages: user }).finalChatCompletion()
    expect(streamed.choices[0]?.message.content).toBe('You said: Hello')
    const response = await openai.responses.stream({ model, input: 'Hello' }).finalResponse()
    expect(response.output_text).toBe('You said: Hello')
    const anthropic = new Anthropic({ apiKey, baseURL: `${on.system.url}/api` })
    const message = await anthropic.messages.stream({ model, max_tokens: 50, messages: user }).finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: 'You said: Hello' }])
    await isPaid()
  })

  it('the AI SDK generates text, streams, tool steps, and objects', async () => {
    const provider = createOpenAICompatible({
      ...{ name: 'parley', baseURL, apiKey },
      ...{ includeUsage: true, supportsStructuredOutputs: true },
    })
    const told = provider(model)
    on.provider.reply({ chunks: ['Grüße', ' aus Köln'], usage })
    const text = await generateText({ model: told, instructions: 'Be brief', prompt: 'Hello' })
    expect([text.text, text.finishReason]).toEqual(['Grüße aus Köln', 'stop'])
    expect(text.usage).toMatchObject(usage)
    expect(sentToProvider()?.prompt.messages).toMatchObject([{ role: 'system', text: 'Be brief' }, { text: 'Hello' }])

    on.provider.reply({ chunks: ['Good', ' day'], reasoning: ['Polite'], usage })
    const stream = streamText({ model: told, prompt: 'Hello' })
    const pieces: string[] = []
    for await (const piece of stream.textStream) pieces.push(piece)
    expect(pieces.join('')).toBe('Good day')
    expect(await stream.usage).toMatchObject(usage)
    expect(await stream.finishReason).toBe('stop')

    for (const run of [generateText, streamText]) {
      on.provider.reply({ toolCalls: [callOfWeather], usage }, { text: 'It rains in Köln' })
      const asked = run({
        ...{ model: told, prompt: 'Weather?', stopWhen: isStepCount(3) },
        tools: {
          weather: tool({
            ...{ description: weather.description, inputSchema: city },
            execute: async ({ city: where }) => `rain in ${where}`,
          }),
        },
      })
      const steps = await (await asked).steps
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
      expect(steps.at(-1)?.text).toBe('It rains in Köln')
      expect(sentToProvider()?.prompt.messages.flatMap(({ results }) => results)).toMatchObject([
        { id: 'call_1', text: expect.stringContaining('rain in Köln') },
      ])
    }

    on.provider.reply({ text: JSON.stringify(fact) })
    const { object } = await generateObject({ model: told, schema: factSchema, prompt: 'What is Köln?' })
    expect(object).toEqual(fact)
    expect(JSON.stringify(sentToProvider()?.body)).toContain('"people"')
    await isPaid()
  })

  it('LangChain’s ChatOpenAI invokes, streams, calls tools and gets structured output', async () => {
    const chat = new ChatOpenAI({ model, apiKey, configuration: { baseURL } })
    on.provider.reply({ chunks: ['Grüße', ' aus Köln'], usage })
    const invoked = await chat.invoke('Hello')
    expect(invoked.text).toBe('Grüße aus Köln')
    expect(invoked.usage_metadata).toMatchObject({ input_tokens: 12, output_tokens: 34 })

    on.provider.reply({ chunks: ['Good', ' day'], usage })
    const pieces: string[] = []
    let outputTokens = 0
    for await (const piece of await chat.stream('Hello')) {
      pieces.push(piece.text)
      outputTokens += piece.usage_metadata?.output_tokens ?? 0
    }
    expect([pieces.join(''), outputTokens]).toEqual(['Good day', 34])

    const tooled = chat.bindTools([{ type: 'function', function: { ...weather, parameters: z.toJSONSchema(city) } }], {
      tool_choice: 'weather',
    })
    on.provider.reply({ toolCalls: [callOfWeather] }, { text: 'It rains' })
    const question = new HumanMessage('Weather?')
    const called = await tooled.invoke([question])
    expect(called.tool_calls).toMatchObject([{ id: 'call_1', name: 'weather', args: { city: 'Köln' } }])
    const result = new ToolMessage({ content: 'rain', tool_call_id: 'call_1' })
    expect((await tooled.invoke([question, called, result])).text).toBe('It rains')

    for (const method of ['jsonSchema', 'functionCalling', 'jsonMode'] as const) {
      const asCall = { toolCalls: [{ id: 'call_2', name: 'fact', parameters: fact }] }
      on.provider.reply(method === 'functionCalling' ? asCall : { text: JSON.stringify(fact) })
      const structured = chat.withStructuredOutput(factSchema, { method, name: 'fact' })
      expect(await structured.invoke('What is Köln? Answer in JSON.'), method).toEqual(fact)
    }

    on.provider.reply({ chunks: ['By', ' response'], usage })
    const byResponses = new ChatOpenAI({ model, apiKey, useResponsesApi: true, configuration: { baseURL } })
    expect((await byResponses.invoke('Hello')).text).toBe('By response')
    await isPaid()
  })

  it.for(['chat', 'modern'])('compatcanary finds no fault in its profile %s', async (profile) => {
    on.provider.always({ text: '{"status":"ok"}' })
    const echo = { id: 'call_1', name: 'compatcanary_echo', parameters: { value: 'CANARY_OK' } }
    on.provider.always({ toolCalls: [echo] }, ({ tool_choice: choice }) => choice !== undefined)
    const { results, score } = await scanEndpoint({ baseUrl: baseURL, model, apiKey, profile })
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
    expect([results.length, score]).toEqual([profile === 'chat' ? 5 : 7, 100])
    await isPaid()
  })
})

describe('a program whose key is wrong or whose credits are used up', () => {
  it('gets the AI SDK’s and LangChain’s errors for it, without a retry', async () => {
    people += 1
    const broke = await registerPerson(on.system, `program${people}`)
    const { body } = await broke.api.post('/api/user/keys', { label: 'Broke' })
    const { secret } = body as { secret: string }
    const { body: dear } = await admin.api.patch('/api/admin/models/relayed', { creditsPerMessage: 101 })
    expect(dear).toMatchObject({ model: { creditsPerMessage: 101 } })
    const baseURL = `${on.system.url}/api/v1`
    const before = on.provider.calls.length
    for (const [apiKey, status] of [
      [secret, 402],
      [`${secret.slice(0, -1)}!`, 401],
    ] as const) {
      const model = createOpenAICompatible({ name: 'parley', baseURL, apiKey })('relayed')
      await expect(generateText({ model, prompt: 'Hello' })).rejects.toMatchObject({
        ...{ statusCode: status, isRetryable: false },
      })
      const chat = new ChatOpenAI({ model: 'relayed', apiKey, configuration: { baseURL } })
      await expect(chat.invoke('Hello')).rejects.toMatchObject({ status })
    }
    expect(on.provider.calls).toHaveLength(before)
  })
})
