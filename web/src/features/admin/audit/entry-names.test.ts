import { expect, it } from 'vitest'
import { targetName, valueText } from './entry-names.ts'

const names = { 'user-1': 'ann', 'plan-1': 'Team' }

it('the target of an action is shown by its present name, or by the name or id in the entry if it was deleted', () => {
  expect(targetName({ type: 'user', id: 'user-1', name: 'ann-before' }, names)).toBe('ann')
  expect(targetName({ type: 'plan', id: 'plan-2', name: 'Gone' }, names)).toBe('Gone')
  expect(targetName({ type: 'key', id: 'key-1', name: null }, names)).toBe('key-1')
  expect(targetName({ type: 'cache', id: null, name: null }, names)).toBe('–')
})

it('an id among the changed values is shown as the name it stands for', () => {
  const said = (path: string, value: string) => valueText(path, value, names)
  expect([said('planId', 'plan-1'), said('id', 'plan-1'), said('users', '12'), said('users', '')]).toEqual([
    ...['Team', 'plan-1', '12', '–'],
  ])
})
