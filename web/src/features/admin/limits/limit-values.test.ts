import { expect, it } from 'vitest'
import { limitOf, valuesOf } from './limit-values.ts'

it('a typed limit is valid only if both fields are integers within their bounds', () => {
  expect(limitOf({ windowMinutes: '1', maxRequests: '30' })).toEqual({ windowMinutes: 1, maxRequests: 30 })
  for (const windowMinutes of ['', '0', '1441', '1.5', 'ten']) {
    expect(limitOf({ windowMinutes, maxRequests: '30' }), windowMinutes).toBeUndefined()
  }
  expect(limitOf({ windowMinutes: '1440', maxRequests: '1000001' })).toBeUndefined()
})

it('the form of a limit shows the saved values', () => {
  expect(limitOf(valuesOf({ windowMinutes: 5, maxRequests: 60 }))).toEqual({ windowMinutes: 5, maxRequests: 60 })
})
