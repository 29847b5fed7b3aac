import { expect, it } from 'vitest'
import { lineCount, pastedFiles, withPasted } from './pasted-text.ts'

it('a message without pasted text is unchanged', () => {
  expect(withPasted('  as typed ', [])).toBe('  as typed ')
})

it('pasted texts are appended in fenced blocks that they cannot close', () => {
  expect(withPasted('Look:', ['a\nb\n', 'c'])).toBe('Look:\n\n```\na\nb\n```\n\n```\nc\n```')
  expect(withPasted(' ', ['x ```` y'])).toBe('`````\nx ```` y\n`````')
})

it('the lines of a pasted text are counted with any line ending', () => {
  expect([lineCount('one'), lineCount('a\r\nb'), lineCount('a\nb\n')]).toEqual([1, 2, 3])
})

it.each([
  ['cells of a spreadsheet, with a picture of them, as text', { 'text/plain': 'A', 'text/html': '<b>A</b>' }, 0],
  ['a picture of a web page as a file', { 'text/html': '<img>' }, 1],
  ['a file, with its name, as a file', { 'text/plain': 'image.png' }, 1],
])('a paste inserts %s', (_, texts: Readonly<Record<string, string>>, count) => {
  const files = [new File([], 'image.png')] as unknown as FileList
  expect(pastedFiles({ files, getData: (type) => texts[type] ?? '' })).toHaveLength(count)
})
