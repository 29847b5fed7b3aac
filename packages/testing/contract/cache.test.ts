import { Writable } from 'node:stream'
import { openMemoryHub } from '@parley/cache'
import { type CacheHarness, cacheEngineContract } from '@parley/cache/contract'
import { createLogger } from '@parley/kit'

const cacheEngines: Readonly<Record<string, () => Promise<CacheHarness>>> = { memory: openMemoryHarness }

async function openMemoryHarness(): Promise<CacheHarness> {
  let logged = 0
  const counting = new Writable({
    write(_chunk, _encoding, done) {
      logged += 1
      done()
    },
  })
  const log = createLogger('cache-contract', 'error', counting)
  const hub = openMemoryHub({ log })
  const shortLived = openMemoryHub({ log, expireMs: 200 })
  return {
    openReplica: async (scope) => hub.open(scope),
    openShortLived: async () => [shortLived.open('chat'), shortLived.open('realtime')],
    loggedFailures: () => logged,
    close: async () => {
      await hub.close()
      await shortLived.close()
    },
  }
}

for (const [engine, openHarness] of Object.entries(cacheEngines)) cacheEngineContract(engine, openHarness)
