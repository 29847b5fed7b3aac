import { expect, it } from 'vitest'
import { targetName, valueText } from './entry-names.ts'

const names = { 'user-1': 'ann', 'plan-1': 'Team' }

it('the target of an act has its present name, one that is gone the name or the id that the entry has', () => {
  expect(targetName({ type: 'user', id: 'user-1', name: 'ann-before' }, names)).toBe('ann')
  expect(targetName({ type: 'plan', id: 'plan-2', name: 'Gone' }, names)).toBe('Gone')
  expect(targetName({ type: 'key', id: 'key-1', name: null }, names)).toBe('key-1')
  expect(targetName({ type: 'cache', id: null, name: null }, names)).toBe('–')
})

it('an id among what was changed is shown as the name that it has', () => {
  const said = (path: string, value: string) => valueText(path, value, names)
  expect([said('planId', 'plan-1'), said('id', 'plan-1'), said('users', '12'), said('users', '')]).toEqual([
    ...['Team', 'plan-1', '12', '–'],
  ])
})
