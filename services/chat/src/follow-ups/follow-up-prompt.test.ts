import { describe, expect, it } from 'vitest'
import { followUpPrompt, readFollowUps } from './follow-up-prompt.ts'

describe('suggestions of how a chat may go on', () => {
  it('are at most three, each once and in one line, also in a fence', () => {
    const suggestions = ['And  tomorrow?\n', 'And tomorrow?', 'Why?', 'Where?', 'When?']
    const expected = ['And tomorrow?', 'Why?', 'Where?']
    expect(readFollowUps(JSON.stringify({ suggestions }))).toEqual(expected)
    expect(readFollowUps(`\`\`\`json\n${JSON.stringify({ suggestions })}\n\`\`\``)).toEqual(expected)
    expect(readFollowUps('{"suggestions":[]}')).toEqual([])
  })

  it.each(['Sure! Here are some: why?', '["Why?"]', '{"suggestions":[""]}', '{"suggestions":["Why?"],"more":1}'])(
    'are not taken from %j, which throws',
    (answer) => {
      expect(() => readFollowUps(answer)).toThrow()
    },
  )

  it('are asked for with question and answer as data, each cut to 4,000 characters', () => {
    const [, asked] = followUpPrompt('q'.repeat(5_000), 'a'.repeat(5_000))
    expect(JSON.parse(String(asked?.content))).toEqual({ message: 'q'.repeat(4_000), answer: 'a'.repeat(4_000) })
  })
})
