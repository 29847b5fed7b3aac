import type { MessagesBody, ResponsesBody } from '@parley/contracts'
import { expect, it } from 'vitest'
import type { Target } from '../adapters/adapter.ts'
import { messagesRequest, responsesRequest } from './provider-requests.ts'

it('a message for Anthropic asks for no more tokens than the model may write', () => {
  const target = { provider: 'anthropic', apiModelName: 'claude-real', maxTokens: 100 } as Target
  const bodyOf = (max_tokens: number) =>
    messagesRequest(target, { model: 'claude', max_tokens, messages: [] } as unknown as MessagesBody, {
      inputTokens: 1,
    }).body
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
  expect(messagesRequest(target, body, { inputTokens: 1 }).body).toMatchObject({ tools: own })
})

it('a response of OpenAI is asked for without what it would look for among stored responses', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100 } as Target
  const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of OpenAI' }
  const question = { role: 'user' as const, content: 'Hello' }
  const foreign = { type: 'reasoning', id: 'rs_2', summary: [] }
  const body: ResponsesBody = { model: 'gpt', input: [question, own, foreign] }
  const { body: sent } = responsesRequest(target, body, { inputTokens: 1, isKept: false })
  expect(sent).toMatchObject({ input: [question, own], store: false })
})

it('a response of OpenAI that may be continued is asked for with the reasoning of models that reason, which OpenAI itself does not store', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100 } as Target
  const included = (isKept: boolean, given: Partial<ResponsesBody>) =>
    responsesRequest(target, { model: 'gpt', input: 'Hello', ...given }, { inputTokens: 1, isKept }).body.include
  const reasoning = { effort: 'low' } as const
  expect(included(true, { reasoning, include: ['message.output_text.logprobs'] })).toEqual([
    'message.output_text.logprobs',
    'reasoning.encrypted_content',
  ])
  expect(included(true, {})).toBeUndefined()
  expect(included(true, { reasoning: { effort: 'none' } })).toBeUndefined()
  expect(included(false, { reasoning })).toBeUndefined()
})
