import { publicRoutes } from '@parley/contracts'
import { expect, it } from 'vitest'
import { endpoints } from './endpoints.ts'

it.each(Object.entries(endpoints))('%s is a call of the contract', (_, { method, path }) => {
  const known = publicRoutes.map((route) => `${route.method} ${route.path}`)
  expect(known).toContain(`${method} ${path}`)
})
