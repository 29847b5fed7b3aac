import type { Model, ResponsesBody } from '@parley/contracts'
import { MockAgent } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Target } from '../adapters/adapter.ts'
import { openaiAdapter } from '../adapters/openai-adapter.ts'
import { defaultTimeouts } from '../completion/timeouts.ts'
import { type ApiRequestDeps, response } from './api-requests.ts'

const official = 'https://api.openai.com'
let agent: MockAgent
beforeEach(() => {
  agent = new MockAgent()
  agent.disableNetConnect()
})
afterEach(() => agent.close())

const deps: ApiRequestDeps = {
  adapterOf: () => openaiAdapter,
  imageAdapterOf: () => undefined,
  fetchOutside: fetch,
  timeouts: defaultTimeouts,
  now: () => new Date(0),
}
const targetAt = (baseUrl: string): Target => ({
  ...{ provider: 'openai', baseUrl, apiKey: 'sk-own', apiModelName: 'gpt-real', maxTokens: 100, temperature: 1 },
  ...{ thinks: false, headers: {}, dispatcher: agent },
  fetch: async () => {
    throw new Error('translated')
  },
})
const options = () => ({ deadline: performance.now() + 60_000, idleMs: 60_000, signal: new AbortController().signal })
const buildFor = (body: Partial<ResponsesBody>, target: Target) =>
  response(deps, { model: 'gpt', input: 'Hello', ...body }).prepare(
    { sdkType: 'openai-sdk' } as Model,
    target,
    options().signal,
  )
const ask = async (body: Partial<ResponsesBody>, baseUrl = `${official}/v1`) => {
  const target = targetAt(baseUrl)
  const build = await buildFor(body, target)
  return build(target, 'g')(options())
}
/** Answers as OpenAI with this text, and records the request and its key. */
function answering(text: string): { body?: Record<string, unknown>; authorization?: string } {
  const asked: ReturnType<typeof answering> = {}
  const reply = ({ body, headers }: { body?: unknown; headers: unknown }): string => {
    Object.assign(asked, { body: JSON.parse(String(body)), ...(headers as object) })
    return text
  }
  agent.get(official).intercept({ method: 'POST', path: '/v1/responses' }).reply(200, reply)
  return asked
}
const whole = JSON.stringify({
  ...{ id: 'resp_1', object: 'response', status: 'completed', future: { kept: true } },
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
  usage: { input_tokens: 2, output_tokens: 3 },
})

it('a response of OpenAI itself is relayed byte for byte, with its figures and id read', async () => {
  const asked = answering(whole)
  const answer = await ask({ reasoning: { effort: 'low' } })
  const usage = await answer.usage(true)
  expect(usage).toEqual({ inputTokens: 2, outputTokens: 3, estimated: false })
  expect([Buffer.from(answer.closing(usage)).toString(), answer.id(), answer.hasOutput()]).toEqual([
    whole,
    'resp_1',
    true,
  ])
  expect(asked).toMatchObject({
    authorization: 'Bearer sk-own',
    body: { input: 'Hello', reasoning: { effort: 'low' } },
  })
})

it('a response request cannot make OpenAI store anything, continue a stored response, or use tools that cost extra', async () => {
  const asked = answering(whole)
  const weather = { type: 'function', name: 'weather' }
  await ask({
    ...{ max_output_tokens: 1e6, store: true, previous_response_id: '', prompt: { id: 'p' } },
    ...{
      service_tier: 'priority',
      tools: [weather, { type: 'web_search' }, { type: 'mcp', server_url: 'http://evil' }],
    },
  })
  expect(asked.body).toEqual({
    ...{ model: 'gpt-real', input: 'Hello', store: false, max_output_tokens: 100, tools: [weather] },
  })
})

it.each([
  ['has failed', JSON.stringify({ id: 'resp_1', status: 'failed', output: [], error: { message: 'secret' } })],
  ['is none', '<html>'],
])('a response of OpenAI that %s is a failure of the provider', async (_what, text) => {
  answering(text)
  await expect(ask({})).rejects.toMatchObject({ name: 'ProviderFailure', code: 'provider_error' })
})

it('a prompt that is too long, as OpenAI reports in the stream, is a refusal and not asked for again', async () => {
  const failed = { type: 'response.failed', response: { id: 'resp_1', error: { code: 'context_length_exceeded' } } }
  answering(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`)
  await expect(ask({ stream: true })).rejects.toMatchObject({ isTooLong: true, isRefusal: true, retryable: false })
})

it('a request that cannot be built fails before its call, which then is not taken for a failure of the provider', async () => {
  const target = targetAt(`${official}/v1`)
  const build = await buildFor({ input: [null as never] }, target)
  expect(() => build(target, 'g')).toThrow(TypeError)
})

it('a response of another OpenAI-compatible provider is translated', async () => {
  await expect(ask({}, 'https://proxy.test/v1')).rejects.toMatchObject({ name: 'ProviderFailure' })
})
