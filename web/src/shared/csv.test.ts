import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('CSV export quotes cells that need it and ends every row', () => {
  expect(toCsv([['a', 'b, c', 'say "x"', ' two\nlines ']])).toBe('a,"b, c","say ""x""","two\nlines"\r\n')
})

it.each(['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '|x', '=HYPERLINK("https://evil.example")'])(
  'CSV export neutralises the formula %s',
  (formula) => {
    expect(toCsv([[formula]])).toContain(`'${formula.charAt(0)}`)
  },
)

it.each(['-12.5', '+3', '-1,200', '-4%'])('CSV export keeps the number %s', (number) => {
  expect(toCsv([[number]])).not.toContain("'")
})
