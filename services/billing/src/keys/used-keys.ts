import { every, type Logger, type Periodic } from '@parley/kit'
import type { BillingStores } from '../store/index.ts'

const everyMs = 1_000

/** Records the last use of keys, decoupled from the requests. */
export interface UsedKeys extends Periodic {
  /** Stored within a second, and at most once a minute per key. */
  note(keyId: string): void
}

/** Best effort: a process that dies loses its last notes. */
export function createUsedKeys(keys: BillingStores['keys'], log: Logger): UsedKeys {
  const used = new Set<string>()
  const store = async (): Promise<void> => {
    const ids = [...used]
    used.clear()
    if (ids.length > 0) await keys.noteUsed(ids)
  }
  const periodic = every(everyMs, store, { name: 'note used keys', log })
  return {
    start: periodic.start,
    note: (keyId) => void used.add(keyId),
    async stop() {
      await periodic.stop()
      await store().catch((error: unknown) => log.warn({ err: error }, 'storing the last use of keys failed'))
    },
  }
}
