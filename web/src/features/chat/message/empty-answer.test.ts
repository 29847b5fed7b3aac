import { expect, it } from 'vitest'
import { takeTool } from '../thread/state/lookups.ts'
import { fallbackTextOf } from './empty-answer.ts'

const calls = (fields: object) => takeTool([], { toolCallId: 'a', toolName: 'quote', parameters: {}, ...fields }, 0)

it('an answer without text is replaced by the result of its tool, or by its thoughts', () => {
  const reasoning = ' I see. '
  expect(fallbackTextOf({ toolCalls: calls({ result: 1, resultNormalized: 'AAPL 3.14' }), reasoning })).toBe(
    'AAPL 3.14',
  )
  expect(fallbackTextOf({ toolCalls: calls({ error: 'Invalid ticker' }), reasoning })).toBe('Invalid ticker')
  expect(fallbackTextOf({ toolCalls: [], reasoning })).toBe('I see.')
  expect(fallbackTextOf({ toolCalls: [], reasoning: '' })).toBe('')
})

it('the replacement of an empty answer is cut at 1,000 characters, without splitting a character', () => {
  expect(fallbackTextOf({ toolCalls: [], reasoning: '😀'.repeat(1_000) })).toBe('😀'.repeat(1_000))
  expect(fallbackTextOf({ toolCalls: [], reasoning: '😀'.repeat(1_001) })).toBe(`${'😀'.repeat(1_000)}…`)
})
