import { expect, it } from 'vitest'
import { markMath } from './math-marks.ts'

it.each([
  ['Euler: $e^{i\\pi}=-1$.', 'Euler: $$e^{i\\pi}=-1$$.'],
  ['so $x$ and $y$', 'so $$x$$ and $$y$$'],
  ['the answer is $5$', 'the answer is $$5$$'],
  ['inline \\(a+b\\) here', 'inline $$a+b$$ here'],
  ['\\[\na\n\\]', '$$\na\n$$'],
  ['$$a$$', '$$\na\n$$'],
  ['- item\n  $$a$$', '- item\n  $$\n  a\n  $$'],
  ['it is $$a$$ there', 'it is $$\\displaystyle a$$ there'],
  ['$\\text{costs \\$5}$', '$$\\text{costs \\$5}$$'],
])('%j is marked as a formula', (block, text) => {
  expect(markMath(block)).toEqual({ text, weight: expect.any(Number) })
  expect(markMath(block).weight).toBeGreaterThan(0)
})

it.each([
  'It costs $5 and $10.',
  'From $5 to $10 or 20$ more',
  'between $5 apples and pears$ here',
  '`$x$` and ``$y$``',
  '- a list\n  ```\n  $x$\n  ```',
  'an open $$a',
  'an open \\(a',
  '\\$x\\$',
  '$ x $',
  'nothing',
  '$\\def\\x{1}\\x$',
  '\\(\\newcommand{\\x}[1]{#1#1}\\x{1}\\)',
  '$\\let\\x\\sum\\x$',
  '$\\futurelet\\x\\y{1}$',
  '$\\tag{x}\\df@tag$',
])('%j is not marked as a formula', (block) => {
  expect(markMath(block)).toEqual({ text: block, weight: 0 })
})

it('formulas weigh their units and something for each', () => {
  expect(markMath('So $a+b$ and\n\n$$c$$').weight).toBe(4 + 2 * 16)
})

it('a formula that defines a macro is escaped as a whole, and those after it are marked', () => {
  expect(markMath('$$\\gdef\\x{1}\\x$$ and $$\\default$$').text).toBe(
    '\\$\\$\\gdef\\x{1}\\x\\$\\$ and $$\\displaystyle \\default$$',
  )
})

it.each(['$$a$$', '\\(', '\\[a', '$$'])('200,000 units of %j are read in one pass', (piece) => {
  const text = piece.repeat(200_000 / piece.length)
  expect(markMath(text).weight).toBe(piece === '$$a$$' ? 17 * 40_000 : 0)
})
