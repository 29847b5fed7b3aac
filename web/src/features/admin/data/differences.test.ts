import { expect, it } from 'vitest'
import { differencesOf } from './differences.ts'

it('differences list the changed fields, including nested ones, and omit irrelevant ones', () => {
  const before = { name: 'A', limits: { web: 1, api: 2 }, tags: ['x'], version: 1 }
  const after = { name: 'A', limits: { web: 5, api: 2 }, tags: ['x', 'y'], version: 2, note: 'new' }
  expect(differencesOf(before, after, new Set(['version']))).toEqual([
    { path: 'limits.web', before: '1', after: '5' },
    { path: 'tags', before: '["x"]', after: '["x","y"]' },
    { path: 'note', before: '', after: 'new' },
  ])
})

it('a created or deleted object differs in all of its fields', () => {
  expect(differencesOf(null, { amount: 10 })).toEqual([{ path: 'amount', before: '', after: '10' }])
  expect(differencesOf(null, null)).toEqual([])
})
