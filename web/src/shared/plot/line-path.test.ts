import { expect, it } from 'vitest'
import { linePath } from './line-path.ts'

it('the line of a sparkline spans the width, with its highest value at the top and zero at the bottom', () => {
  expect(linePath([0, 4, 2], 100, 20)).toBe('M1.5 18.5L50.0 1.5L98.5 10.0')
})

it('the line of a sparkline is at the bottom without any usage', () => {
  expect(linePath([0, 0], 100, 20)).toBe('M1.5 18.5L98.5 18.5')
})
