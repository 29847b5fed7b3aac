import { apiRoutes, errorStatus, tierMultipliers } from '@parley/contracts'
import { expect, it } from 'vitest'
import { calls, programErrors, sectionNames, tierFactors } from './contents.ts'

it('lists every call of programs as the contract has it', () => {
  const routes = Object.entries(apiRoutes).map(([name, { method, path }]) => [
    name,
    { method, path: path.replace(/^\/v1/, '') },
  ])
  expect(calls).toEqual(Object.fromEntries(routes))
})

it('gives errors the status that they have, and tiers their multipliers', () => {
  const statuses: Readonly<Record<string, number>> = errorStatus
  for (const [code, status] of Object.entries(programErrors)) expect(statuses[code] ?? status, code).toBe(status)
  expect(tierFactors).toEqual({ ...tierMultipliers, 5: null })
})

it('has each section once', () => {
  expect(new Set(sectionNames).size).toBe(sectionNames.length)
})
