import { expect, it } from 'vitest'
import { faultsOf, newPlanValues, planOf, valuesOf } from './plan-values.ts'

const plan = {
  id: 'plus',
  name: 'Plus',
  description: '',
  monthlyCredits: 1_000,
  requestsPerWindow: 60,
  windowMs: 90_000,
  default: false,
  version: 2,
}

it('a plan that is opened and saved unchanged does not change', () => {
  const { id: _, default: _default, version: _version, ...settings } = plan
  expect(planOf(valuesOf(plan))).toEqual(settings)
  expect(faultsOf(valuesOf(plan))).toEqual([])
})

it('each field of a plan that the server would reject is reported', () => {
  expect(
    faultsOf({ ...newPlanValues, name: ' ', monthlyCredits: '-1', requestsPerWindow: '0', windowSeconds: '' }),
  ).toEqual(['name', 'monthlyCredits', 'requestsPerWindow', 'windowSeconds'])
})
