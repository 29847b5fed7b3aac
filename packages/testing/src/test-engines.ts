import type { EngineName } from '@parley/engines'
import { newId } from '@parley/kit'
import { describe, inject } from 'vitest'

/**
 * The address of one of the run's engines; Kafka's is its brokers, `host:port` with commas between. Undefined when it could not be had or this
 * Vitest project does not ask for it (`vitest.config.ts`).
 */
export const engineUrl = (name: EngineName): string | undefined => inject('engines')[name]

/**
 * Describes the rows of an engine table that need an engine. Without it their tests are counted as skipped, under a title that says so.
 * @example onEngine('kafka', () => eventBusContract('Kafka', openKafkaHarness))
 */
export function onEngine(name: EngineName, rows: () => void): void {
  if (engineUrl(name) !== undefined) rows()
  else describe.skip(`not run: ${name}`, rows)
}

/**
 * The address of a database of one test file's own, on the run's MongoDB; it is there once something is written to it.
 * @throws Error when there is no MongoDB
 */
export function testMongoUrl(): string {
  const url = new URL(requireUrl('mongo'))
  url.pathname = `/test_${newId()}`
  return url.href
}

/** Begins the names of one test file's topics. */
export const testTopicPrefix = (): string => `test-${newId()}`

/** Begins the keys of one test file in Redis. */
export const testKeyPrefix = (): string => `test-${newId()}`

function requireUrl(name: EngineName): string {
  const url = engineUrl(name)
  if (url === undefined) throw new Error(`This run has no ${name}`)
  return url
}
