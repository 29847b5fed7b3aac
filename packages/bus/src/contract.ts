import { afterEach, beforeEach, describe } from 'vitest'
import { consumingContract } from './contract/consuming.ts'
import { failureContract } from './contract/failures.ts'
import type { BusHarness } from './contract/harness.ts'
import { publishingContract } from './contract/publishing.ts'

export type { BusHarness } from './contract/harness.ts'
export * from './contract/recorder.ts'

/** The contract of the EventBus port for every engine; each sentence of the port has its test here. */
export function eventBusContract(engine: string, openHarness: () => Promise<BusHarness>): void {
  describe(`EventBus on ${engine}`, () => {
    let harness: BusHarness
    beforeEach(async () => {
      harness = await openHarness()
    })
    afterEach(() => harness.close())
    publishingContract(() => harness)
    consumingContract(() => harness)
    failureContract(() => harness)
  })
}
