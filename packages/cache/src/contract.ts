import { afterEach, beforeEach, describe } from 'vitest'
import { cacheContract } from './contract/cache.ts'
import { counterContract } from './contract/counter.ts'
import type { CacheHarness } from './contract/harness.ts'
import { signalContract } from './contract/signal.ts'
import { streamLogContract } from './contract/stream-log.ts'

export type { CacheHarness, SeverableReplica } from './contract/harness.ts'

/** The contract of the four ports for every engine; each sentence of the ports has its test here. */
export function cacheEngineContract(engine: string, openHarness: () => Promise<CacheHarness>): void {
  describe.each([
    ['Cache', cacheContract],
    ['Counter', counterContract],
    ['Signal', signalContract],
    ['StreamLog', streamLogContract],
  ])(`%s on ${engine}`, (_port, contract) => {
    let harness: CacheHarness
    beforeEach(async () => {
      harness = await openHarness()
    })
    afterEach(() => harness.close())
    contract(() => harness)
  })
}
