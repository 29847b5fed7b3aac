import { publicRoutes } from '@parley/contracts'
import { expect, it } from 'vitest'
import { calls } from './calls.ts'

it.each(Object.entries(calls))('the administration’s call %s is in the contract', (_, { method, path }) => {
  const known = publicRoutes.map((route) => `${route.method} ${route.path}`)
  expect(known).toContain(`${method} ${path}`)
})
