import type { Model } from '@parley/contracts'
import { type Clock, createFreshValue } from '@parley/kit'
import type { ModelStore } from './store/model-store.ts'

/** Maximum age of the list in milliseconds, in case the signal of a change was lost. */
const maxAgeMs = 10_000

/** This replica's cached copy of the registry. */
export type Registry = ReturnType<typeof createRegistry>

/** Reads the list on demand; concurrent callers share one read. */
export function createRegistry(store: Pick<ModelStore, 'list'>, now: Clock) {
  const list = createFreshValue<readonly Model[]>({ maxAgeMs, now })
  const models = (): Promise<readonly Model[]> => list.get(() => store.list())
  return {
    /** All models. Returns the same array until the list is read again. */
    models,
    find: async (id: string): Promise<Model | undefined> => (await models()).find((model) => model.id === id),
    /** Call it on the `models-changed` signal. */
    drop: list.drop,
  }
}
