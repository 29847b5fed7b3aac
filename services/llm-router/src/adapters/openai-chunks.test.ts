import { expect, it } from 'vitest'
import type { Target } from './adapter.ts'
import { chatBody, createChunkReader } from './openai-chunks.ts'

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['another', 'stop'],
])('the finish reason %s of a provider is the finish %s', (finish_reason, reason) => {
  expect(createChunkReader()({ choices: [{ delta: {}, finish_reason }] })).toEqual([{ type: 'finish', reason }])
})

it('the cached tokens of a prompt are read, which are among its tokens', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } }
  const expected = { type: 'usage', inputTokens: 9, cachedTokens: 8, outputTokens: 4 }
  expect(createChunkReader()({ choices: [], usage })).toEqual([expected])
})

it.each([9e15, -1, 1.5, 'many'])('%s tokens, which cannot be right, count as missing', (prompt_tokens) => {
  const usage = { prompt_tokens, completion_tokens: 4 }
  expect(createChunkReader()({ choices: [], usage })).toEqual([{ type: 'usage', outputTokens: 4 }])
})

it('only a strict tool is called strict, because not every server knows the field', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100, temperature: 1 } as Target
  const look = { name: 'look', description: 'Looks', parameters: {} }
  const { tools } = chatBody(target, {
    messages: [],
    tools: [{ ...look, strict: true }, { ...look, strict: false }, look],
  })
  expect(tools?.map((tool) => 'function' in tool && tool.function)).toEqual([{ ...look, strict: true }, look, look])
})

it('a user of more than 64 characters, whom OpenAI refuses, is named by a hash', () => {
  const target = { provider: 'openai', apiModelName: 'gpt-real', maxTokens: 100, temperature: 1 } as Target
  const [short, long] = ['u'.repeat(64), 'u'.repeat(65)]
  const told = [short, long].map((user) => chatBody(target, { messages: [], tools: [], options: { user } }).user)
  expect(told).toEqual([short, expect.stringMatching(/^[0-9a-f]{64}$/)])
})
