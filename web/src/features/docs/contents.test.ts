import { apiRoutes, errorStatus } from '@parley/contracts'
import { expect, it } from 'vitest'
import { calls, programErrors, sectionNames } from './contents.ts'

it('lists all API calls of the contract', () => {
  const routes = Object.entries(apiRoutes).map(([name, { method, path }]) => [
    name,
    { method, path: path.replace(/^\/v1/, '') },
  ])
  expect(calls).toEqual(Object.fromEntries(routes))
})

it('lists errors with their status', () => {
  const statuses: Readonly<Record<string, number>> = errorStatus
  for (const [code, status] of Object.entries(programErrors)) expect(statuses[code] ?? status, code).toBe(status)
})

it('lists each section once', () => {
  expect(new Set(sectionNames).size).toBe(sectionNames.length)
})
