import type { MessagesBody } from '@parley/contracts'
import { expect, it } from 'vitest'
import type { Target } from '../adapters/adapter.ts'
import { messagesRequest } from './provider-requests.ts'

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
