import type { EngineName } from '@parley/engines'
import { newId } from '@parley/kit'
import { describe, inject } from 'vitest'

/**
 * The URL of one of the run's engines; for Kafka its brokers, `host:port` separated by commas. Undefined if it is unavailable or this Vitest
 * project does not use it (`vitest.config.ts`).
 */
export const engineUrl = (name: EngineName): string | undefined => inject('engines')[name]

/**
 * Describes the rows of an engine table that need an engine. Without it their tests count as skipped, under the title "not run".
 * @example onEngine('kafka', () => eventBusContract('Kafka', openKafkaHarness))
 */
export function onEngine(name: EngineName, rows: () => void): void {
  if (engineUrl(name) !== undefined) rows()
  else describe.skip(`not run: ${name}`, rows)
}

/**
 * The URL of a database for one test file on the run's MongoDB, which is created by the first write.
 * @throws Error if there is no MongoDB
 */
export function testMongoUrl(): string {
  const url = engineUrl('mongo')
  if (url === undefined) throw new Error('This run has no mongo')
  return Object.assign(new URL(url), { pathname: `/test_${newId()}` }).href
}

/** A topic prefix for one test file. */
export const testTopicPrefix = (): string => `test-${newId()}`

/** A Redis key prefix for one test file. */
export const testKeyPrefix = (): string => `test-${newId()}`
