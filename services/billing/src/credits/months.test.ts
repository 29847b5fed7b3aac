import { expect, it } from 'vitest'
import { monthStart, monthsPassed } from './months.ts'

const day = 86_400_000
const at = (text: string): Date => new Date(text)

it('months start on the day and at the time of their anchor in UTC, or on the last day of shorter months', () => {
  const starts = [0, 1, 2, 3, 12, 13].map((months) => monthStart(at('2028-01-31T10:30:00.123Z'), months).toISOString())
  expect(starts).toEqual([
    '2028-01-31T10:30:00.123Z',
    '2028-02-29T10:30:00.123Z',
    '2028-03-31T10:30:00.123Z',
    '2028-04-30T10:30:00.123Z',
    '2029-01-31T10:30:00.123Z',
    '2029-02-28T10:30:00.123Z',
  ])
})

it('a moment lies in the month that has started and not in the next one, whatever the anchor’s day', () => {
  const outside: string[] = []
  for (let anchor = at('2027-11-28T23:30Z').getTime(); anchor <= at('2028-03-02T00:00Z').getTime(); anchor += day) {
    for (
      let moment = at('2028-03-02T00:00Z').getTime();
      moment < at('2030-03-05T00:00Z').getTime();
      moment += 23 * 3_600_000
    ) {
      const months = monthsPassed(new Date(anchor), new Date(moment))
      const [start, end] = [monthStart(new Date(anchor), months), monthStart(new Date(anchor), months + 1)]
      if (start.getTime() > moment || end.getTime() <= moment) outside.push(`${anchor} ${moment}`)
    }
  }
  expect(outside).toEqual([])
})

it.each([
  ['2028-02-29T10:29:59.999Z', 0],
  ['2028-02-29T10:30:00.000Z', 1],
  ['2028-03-31T10:29:59.999Z', 1],
  ['2028-03-31T10:30:00.000Z', 2],
  ['2029-01-31T10:30:00.000Z', 12],
])('until %s %i months have passed since the last of a January', (moment, months) => {
  expect(monthsPassed(at('2028-01-31T10:30:00.000Z'), at(moment))).toBe(months)
})
