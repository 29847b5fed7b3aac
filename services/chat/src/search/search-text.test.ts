import { expect, it } from 'vitest'
import { fold, foldSlowly, gramsOfQuery, segmentsOf } from './search-text.ts'
import { snippetOf } from './snippet.ts'

it("every part of a segment's texts is found in the segment", async () => {
  const [segment] = await segmentsOf('owner', [
    { id: '1', content: 'ÄPFEL und\nBirnen' },
    { id: '2', content: '東京タワー😀' },
  ])
  const grams = new Set(segment?.grams)
  for (const words of ['ä', 'Äp', 'ÄPFEL', 'und birnen', '東', '京タ', 'ワー😀']) {
    expect(gramsOfQuery('owner', fold(words)).filter((gram) => !grams.has(gram))).toEqual([])
  }
  expect(gramsOfQuery('owner', 'xyz').every((gram) => grams.has(gram))).toBe(false)
  expect(gramsOfQuery('other', 'birnen').every((gram) => grams.has(gram))).toBe(false)
})

it('indexing a large text yields to other work', async () => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 0)
  const messages = Array.from({ length: 20 }, (_none, nth) => ({ id: `${nth}`, content: 'lorem ipsum '.repeat(1_000) }))
  expect(await segmentsOf('owner', messages)).toHaveLength(20)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(1)
})

it('a segment has a bounded number of grams, however long a text is and however little of it repeats', async () => {
  const varied = Array.from({ length: 100_000 }, (_none, nth) =>
    String.fromCodePoint(0x20000 + ((nth * 48_271) % 40_009)),
  )
  const content = varied.join('')
  const segments = await segmentsOf('owner', [{ id: '1', content }])
  expect(Math.max(...segments.map(({ grams }) => grams.length))).toBeLessThanOrEqual(50_000)
  for (const { messageIds, text } of segments) {
    expect(messageIds).toEqual(['1'])
    expect(text.isWellFormed()).toBe(true)
    expect(content).toContain(text)
  }
  // Whatever is as long as a query is in one of them as a whole.
  for (let at = 0; at < content.length; at += 500) {
    const words = content.slice(at, at + 600)
    expect(segments.some(({ text }) => text.includes(words))).toBe(true)
  }
})

it('folding a huge text in slices gives the same as folding it whole, and yields to other work', async () => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 0)
  const parts = [
    'Straße  und\t\nÄPFEL ',
    'e\u0301',
    '한국어'.normalize('NFD'),
    '😀',
    ' \u00a0 ',
    'ΣΑΣ',
    '東京',
    'n\u0303\u0323',
  ]
  // Shifted, so that slices end at every place of it.
  for (let shift = 0; shift < 24; shift += 1) {
    const text = 'x'.repeat(shift) + parts.join('').repeat(3_000)
    expect((await foldSlowly(text)) === fold(text)).toBe(true)
  }
  clearInterval(counting)
  expect(turns).toBeGreaterThan(1)
  expect(await foldSlowly('')).toBe('')
  const marks = `e${'\u0301'.repeat(100_000)}`
  expect((await foldSlowly(marks)).startsWith('é')).toBe(true)
})

it('a snippet shows the found words with their context, on one line and with whole characters', () => {
  expect(snippetOf('Short and\nsweet', fold('SWEET'))).toBe('Short and sweet')
  const long = `${'😀'.repeat(100)} the Word ${'é'.repeat(200)}`
  const snippet = snippetOf(long, 'word')
  expect(snippet).toContain('the Word é')
  expect(snippet).toMatch(/^….*…$/u)
  expect(snippet.isWellFormed()).toBe(true)
})
