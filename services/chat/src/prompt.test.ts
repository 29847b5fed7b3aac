import { describe, expect, it } from 'vitest'
import { buildPrompt, builtInSystemPrompt, type Turn } from './prompt.ts'

const model = { contextLength: 1_000, maxTokens: 200 }
const turns = (count: number, length: number): Turn[] =>
  Array.from({ length: count }, (_, nth) => ({
    role: nth % 2 ? 'assistant' : 'user',
    content: `${nth} `.padEnd(length, 'ab'),
  }))

describe('a prompt', () => {
  it('begins with the system prompt, the built-in one when none is set', () => {
    expect(buildPrompt('Be kind.', turns(1, 10), model).messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
    expect(buildPrompt(' ', turns(1, 10), model).messages[0]?.content).toBe(builtInSystemPrompt)
  })

  it('keeps the latest turns that fit beside the answer, from a user turn on', () => {
    const history = turns(21, 400)
    const { messages, tokens } = buildPrompt('Short.', history, model)
    const kept = messages.slice(1)
    expect(kept).toEqual(history.slice(-kept.length))
    expect(kept).toHaveLength(7)
    expect(kept[0]?.role).toBe('user')
    expect(tokens).toBeLessThanOrEqual(800)
    expect(buildPrompt('Short.', history, { ...model, contextLength: 10_000 }).messages).toHaveLength(22)
  })

  it('begins no conversation with an answer, though it would fit', () => {
    const history = turns(21, 400)
    const kept = buildPrompt('Short.', history, { ...model, contextLength: 900 }).messages.slice(1)
    expect(kept).toEqual(history.slice(-5))
    expect(kept[0]?.role).toBe('user')
  })

  it('always keeps the question', () => {
    const { messages } = buildPrompt('Short.', turns(3, 8_000), model)
    expect(messages).toHaveLength(2)
  })

  it('cleans what users wrote and nothing else', () => {
    const { messages } = buildPrompt(
      'the the',
      [
        { role: 'user', content: 'the the' },
        { role: 'assistant', content: 'the the' },
        { role: 'user', content: 'sooo??' },
      ],
      model,
    )
    expect(messages.map(({ content }) => content)).toEqual(['the the', 'the', 'the the', 'soo?'])
  })
})
