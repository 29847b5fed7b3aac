import { every, type Logger, type Periodic } from '@parley/kit'
import type { KeyStore } from '../store/key-store.ts'

const everyMs = 1_000

/** Keys that are in use, noted apart from the requests that use them. */
export interface UsedKeys extends Periodic {
  /** At most a second later it is stored, at most once a minute for each key. */
  note(keyId: string): void
}

/** Nothing is noted yet. What a process that dies had noted last is lost. */
export function createUsedKeys(keys: Pick<KeyStore, 'noteUsed'>, log: Logger): UsedKeys {
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
      await store().catch((error: unknown) => log.warn({ err: error }, 'the last use of keys was not noted'))
    },
  }
}
