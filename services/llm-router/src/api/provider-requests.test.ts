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
