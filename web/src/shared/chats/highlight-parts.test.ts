import { describe, expect, it } from 'vitest'
import { highlightParts } from './highlight-parts.ts'

const hits = (text: string, query: string): string[] =>
  highlightParts(text, query)
    .filter(({ hit }) => hit)
    .map(({ text: piece }) => piece)

describe('highlighted search terms', () => {
  it('are found in any case and order, without losing text', () => {
    expect(hits('The Heat pump of heated houses', 'pump HEAT')).toEqual(['Heat', 'pump', 'heat'])
    const parts = highlightParts('The Heat pump', 'heat')
    expect(parts.map(({ text }) => text).join('')).toBe('The Heat pump')
    expect(parts.map(({ at }) => at)).toEqual([0, 4, 8])
  })

  it('are found in languages without spaces and in right-to-left scripts', () => {
    expect(hits('京都三日間の旅程', '三日間')).toEqual(['三日間'])
    expect(hits('شرح مبرهنة فيثاغورس', 'مبرهنة')).toEqual(['مبرهنة'])
  })

  it('are found in full if one begins with another', () => {
    expect(hits('A heat pump heats', 'heat heats')).toEqual(['heat', 'heats'])
  })

  it('may contain special characters of regular expressions', () => {
    expect(hits('What is a[0] + (b)?', 'a[0] (b)?')).toEqual(['a[0]', '(b)?'])
  })

  it('are absent for a blank query', () => {
    expect(highlightParts('All of it', ' ')).toEqual([{ at: 0, text: 'All of it', hit: false }])
  })
})
