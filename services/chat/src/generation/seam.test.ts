import { describe, expect, it } from 'vitest'
import { createSeam, joinedTo } from './seam.ts'

/** The answer and its continuation as one text, the latter in pieces of `size`. */
function joined(before: string, start: string, size = start.length || 1): string {
  const seam = createSeam(before)
  let text = before
  for (let at = 0; at < start.length; at += size) text += seam.take(start.slice(at, at + size))
  return text + seam.rest()
}

const fence = '```'

describe.each([1, 3, 1_000])('a continuation in pieces of %i', (size) => {
  it.each([
    ['goes on in the middle of a word', 'The quick bro', 'wn fox', 'The quick brown fox'],
    ['repeats the last words', 'One. The quick brown', 'The quick brown fox', 'One. The quick brown fox'],
    [
      'repeats the last line',
      'A\n- point one\n- the second po',
      '- the second point',
      'A\n- point one\n- the second point',
    ],
    ['repeats all there was', 'The quick brown fox', 'The quick brown fox jumps', 'The quick brown fox jumps'],
    ['is nothing but a repeat', 'The quick brown fox', 'quick brown fox', 'The quick brown fox'],
    ['repeats too little to be sure', 'It was, it was', 'it was', 'It was, it wasit was'],
    ['begins like an earlier word', 'abc def abc', 'abd', 'abc def abcabd'],
    ['repeats marks that may be meant', '| --- | --- |', '| --- | --- |', '| --- | --- || --- | --- |'],
    ['begins a sentence without a space', 'It ended.', 'Then it began.', 'It ended. Then it began.'],
    ['goes on in a number or a name', 'See example.', 'com, version 3.', 'See example.com, version 3.'],
    ['begins with a space', 'The quick', ' brown', 'The quick brown'],
    ['has characters of two units', 'Grüße an alle 😀😀', 'Grüße an alle 😀😀 hier', 'Grüße an alle 😀😀 hier'],
  ])('that %s', (_what, before, start, whole) => {
    expect(joined(before, start, size)).toBe(whole)
  })

  it.each([
    ['opens the code again', `${fence}ts\nconst a = 1\n`, `${fence}ts\nconst b = 2\n${fence}`, 'const b = 2\n```'],
    ['closes the code', `${fence}ts\nconst a = 1\n`, `${fence}\nDone`, `${fence}\nDone`],
    ['goes on in the code', `${fence}ts\nconst a = 1.`, 'Also()', 'Also()'],
    [
      'opens code where none is open',
      `${fence}ts\na\n${fence}\n`,
      `${fence}ts\nb\n${fence}`,
      `${fence}ts\nb\n${fence}`,
    ],
    ['opens the code again and repeats its line', `${fence}py\nprint("one")`, `${fence}py\nprint("one")\nx`, '\nx'],
  ])('of code, that %s', (_what, before, start, added) => {
    expect(joined(before, start, size)).toBe(before + added)
  })
})

it('a continuation is not held back once it cannot be a repeat', () => {
  const seam = createSeam('The quick brown')
  expect(seam.take('X')).toBe('X')
  expect(seam.take('The quick brown')).toBe('The quick brown')
})

it('an empty continuation adds nothing', () => {
  expect(joinedTo('The quick brown.', '')).toBe('')
})
