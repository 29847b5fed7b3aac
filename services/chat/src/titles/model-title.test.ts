import { describe, expect, it } from 'vitest'
import { readTitle, titlePrompt } from './model-title.ts'

describe('a title in an answer of a model', () => {
  it.each([
    ['Heat pumps for old houses', 'Heat pumps for old houses'],
    ['\n  "Heat pumps."  \nI hope that helps', 'Heat pumps'],
    ['Title: **Heat pumps**', 'Heat pumps'],
    ['## Wärmepumpen im Altbau', 'Wärmepumpen im Altbau'],
    ['„Wärmepumpen im Altbau“', 'Wärmepumpen im Altbau'],
    ['<think>What\nis it about?</think>\n京都三日間の旅程。', '京都三日間の旅程'],
    ['half \ud83d', 'half \ufffd'],
  ])('of %j is %j', (answer, title) => {
    expect(readTitle(answer)).toBe(title)
  })

  it('is at most 50 characters long, with an ellipsis', () => {
    expect(readTitle('word '.repeat(40))).toBe(`${'word '.repeat(10).trimEnd()}…`)
  })

  it.each(['', ' \n ', '""', '<think>nothing</think>'])('is missing in %j, which throws', (answer) => {
    expect(() => readTitle(answer)).toThrow(RangeError)
  })
})

it('the prompt for a title carries question and answer as data, each cut to 2,000 characters', () => {
  const [, asked] = titlePrompt('q'.repeat(3_000), 'a'.repeat(3_000))
  expect(JSON.parse(String(asked?.content))).toEqual({ message: 'q'.repeat(2_000), answer: 'a'.repeat(2_000) })
})
