import { expect, it } from 'vitest'
import { readSpan } from './span.ts'

it('a day as the end of a span is included, a time is not', () => {
  const until = (to: string) => readSpan({ to }).until?.toISOString()
  expect(until('2026-01-02')).toBe('2026-01-03T00:00:00.000Z')
  expect(until('2026-01-02T10:00:00Z')).toBe('2026-01-02T10:00:00.000Z')
  expect(readSpan({})).toEqual({ from: undefined, until: undefined })
})

it.each(['2026-01-03', '2026-01-02'])('a span from %s to 2026-01-01 is refused', (from) => {
  expect(() => readSpan({ from, to: '2026-01-01' })).toThrow('Must not be after the end date')
})
