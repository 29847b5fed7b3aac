import type { ChatCompletionBody, MessagesBody, ResponsesBody } from '@parley/contracts'
import { expect, it } from 'vitest'
import type { Target } from '../adapters/adapter.ts'
import { chatRequest, messagesRequest, responsesRequest } from './provider-requests.ts'

const chatBody = (asked: Partial<ChatCompletionBody>, target: Partial<Target>) => {
  const at = { apiModelName: 'real', maxTokens: 100, ...target } as Target
  return JSON.parse(JSON.stringify(chatRequest(at, { model: 'm', messages: [], ...asked }).body))
}

it.each([
  ['openai', {}, { max_completion_tokens: 100 }],
  ['openai', { max_tokens: 5 }, { max_tokens: 5 }],
  ['openai', { max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
  ['openai', { max_completion_tokens: 5, max_tokens: 6 }, { max_completion_tokens: 5 }],
  ['deepseek', {}, { max_tokens: 100 }],
  ['deepseek', { max_completion_tokens: 5 }, { max_tokens: 5 }],
  ['deepseek', { max_completion_tokens: 500 }, { max_tokens: 100 }],
] as const)('a chat completion of %s with the limits %j is asked for with %j', (provider, limits, expected) => {
  const sent = chatBody(limits, { provider, baseUrl: 'https://proxy.test/v1' })
  expect(sent).toEqual({ model: 'real', messages: [], ...expected })
})

it('only OpenAI itself is told what a developer says as such', () => {
  const messages = [{ role: 'developer' as const, content: 'Be brief' }]
  const roleAt = (baseUrl: string) => chatBody({ messages }, { provider: 'openai', baseUrl }).messages[0].role
  expect([roleAt('https://api.openai.com/v1'), roleAt('https://proxy.test/v1')]).toEqual(['developer', 'system'])
})

it('OpenAI itself, whose reasoning models refuse the older token limit, gets the newer one', () => {
  const target = { provider: 'openai', baseUrl: 'https://api.openai.com/v1' } as const
  expect(chatBody({ max_tokens: 5 }, target)).toEqual({ model: 'real', messages: [], max_completion_tokens: 5 })
})

it('a message for Anthropic asks for no more tokens than the model may write', () => {
  const target = { provider: 'anthropic', apiModelName: 'claude-real', maxTokens: 100 } as Target
  const bodyOf = (max_tokens: number) =>
    messagesRequest(target, { model: 'claude', max_tokens, messages: [] } as unknown as MessagesBody).body
  expect(bodyOf(1e9)).toMatchObject({ model: 'claude-real', max_tokens: 100 })
  expect(bodyOf(7)).toMatchObject({ max_tokens: 7 })
})

it('a message for Anthropic keeps the tools that its caller runs, and none that costs extra or calls other services', () => {
  const target = { provider: 'anthropic', apiModelName: 'claude-real', maxTokens: 100 } as Target
  const own = [
    { name: 'weather', input_schema: {} },
    { type: 'custom', name: 'mail' },
    { type: 'bash_20250124', name: 'bash' },
  ]
  const paid = ['web_search_20250305', 'web_fetch_20250910', 'code_execution_20250522', 'mcp_toolset']
  const tools = [...own, ...paid.map((type) => ({ type, name: type }))]
  const body = { model: 'claude', max_tokens: 7, messages: [], tools } as unknown as MessagesBody
  expect(messagesRequest(target, body).body).toMatchObject({ tools: own })
})

it('a response of OpenAI is asked for without what it would look for among stored responses', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100 } as Target
  const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of OpenAI' }
  const question = { role: 'user' as const, content: 'Hello' }
  const foreign = { type: 'reasoning', id: 'rs_2', summary: [] }
  const body: ResponsesBody = { model: 'gpt', input: [question, own, foreign] }
  const { body: sent } = responsesRequest(target, body, false)
  expect(sent).toMatchObject({ input: [question, own], store: false })
})

it('a response of OpenAI that may be continued is asked for with the reasoning of models that reason, which OpenAI itself does not store', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100 } as Target
  const included = (isKept: boolean, given: Partial<ResponsesBody>) =>
    responsesRequest(target, { model: 'gpt', input: 'Hello', ...given }, isKept).body.include
  const reasoning = { effort: 'low' } as const
  expect(included(true, { reasoning, include: ['message.output_text.logprobs'] })).toEqual([
    'message.output_text.logprobs',
    'reasoning.encrypted_content',
  ])
  expect(included(true, {})).toBeUndefined()
  expect(included(true, { reasoning: { effort: 'none' } })).toBeUndefined()
  expect(included(false, { reasoning })).toBeUndefined()
})
