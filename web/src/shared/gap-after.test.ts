import { expect, it } from 'vitest'
import { gapAfter } from './gap-after.ts'

it('sentences are separated by a space, unless the first one ends with a full-width mark', () => {
  expect(['Weak.', 'Schwach.', '弱い。', '弱。', '本当？', 'ضعيفة.'].map(gapAfter)).toEqual([' ', ' ', '', '', '', ' '])
})
