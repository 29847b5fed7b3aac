import { expect, it } from 'vitest'
import { checkDay, type DayFigures } from './check.ts'

const agreeing: DayFigures = {
  ...{ date: '2030-01-01', spent: 5, recorded: 5, ledger: 5, usage: 5 },
  ...{ usedTokens: 100, providerTokens: 180 },
}

it('a day with matching books raises no alarm, even if providers were called for more than was recorded', () => {
  expect(checkDay(agreeing)).toEqual([])
  expect(checkDay({ ...agreeing, providerTokens: undefined })).toEqual([])
  expect(checkDay({ ...agreeing, providerTokens: 99.5 })).toEqual([])
})

it('a day raises an alarm for credits captured but not recorded, or recorded but not captured', () => {
  expect(checkDay({ ...agreeing, usage: 4, recorded: 4 })).toEqual([{ kind: 'ledger', expected: 5, found: 4 }])
  expect(checkDay({ ...agreeing, ledger: 0 })).toEqual([{ kind: 'ledger', expected: 0, found: 5 }])
})

it('a day raises an alarm for differing sums even if the rows match', () => {
  expect(checkDay({ ...agreeing, spent: 6 })).toEqual([{ kind: 'ledger', expected: 6, found: 5 }])
})

it('a day raises an alarm for recorded tokens without a provider’s call', () => {
  expect(checkDay({ ...agreeing, providerTokens: 98 })).toEqual([{ kind: 'provider', expected: 100, found: 98 }])
})
