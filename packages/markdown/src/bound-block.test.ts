import { expect, it } from 'vitest'
import { boundBlock } from './bound-block.ts'

it('a block of usual size is not changed', () => {
  const blocks = [
    'A paragraph with **marks**.',
    '- one\n  - two\n    - three',
    '> > quoted twice',
    `[^${'a long name of a footnote'.replaceAll(' ', '-')}]: Its text, see object._field.`,
    `${'word '.repeat(2_000)}`,
  ]
  for (const block of blocks) expect(boundBlock(block)).toEqual({ markdown: block, rest: '' })
})

it('a long table is cut at the end of a row', () => {
  const block = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(5_000)}`
  const { markdown, rest } = boundBlock(block)
  expect(markdown + rest).toBe(block)
  expect(markdown.endsWith('|\n')).toBe(true)
  expect(markdown.length).toBeLessThan(6_000)
  expect(markdown.length).toBeGreaterThan(2_000)
})

it('a long list of short items is cut at the end of an item', () => {
  const { markdown } = boundBlock('- a\n'.repeat(6_000))
  expect(markdown.length).toBe(4 * 1_200)
})

it.each([
  ['quotes in quotes', '>'.repeat(10_000)],
  ['lists in lists', '- '.repeat(10_000)],
  ['steps of indentation', Array.from({ length: 10_000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ['brackets', '['.repeat(16_000)],
  ['links without a scheme in one another', 'www.a._'.repeat(1_200)],
  ['lists in footnotes', '[^1]: - '.repeat(1_000)],
  ['images in images', '!['.repeat(2_000) + ']()'.repeat(2_000)],
])('only a small part of a block with %s is parsed', (_, block) => {
  const { markdown, rest } = boundBlock(block)
  expect(markdown + rest).toBe(block)
  expect(markdown.length).toBeLessThan(2_500)
})

it.each([
  ['many lists', '1. '.repeat(40)],
  ['many quotes', '>'.repeat(40)],
  ['much indentation', `${' '.repeat(100)}- x`],
])('a short line of %s is not parsed', (_, line) => {
  expect(boundBlock(line)).toEqual({ markdown: '', rest: line })
})
