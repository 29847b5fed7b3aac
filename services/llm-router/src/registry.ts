import type { Model } from '@parley/contracts'
import { type Clock, createFreshValue } from '@parley/kit'
import type { ModelStore } from './store/model-store.ts'

/** Maximum age of the list in milliseconds, in case the signal of a change was lost. */
const maxAgeMs = 10_000

/** This replica's cached copy of the registry. */
export interface Registry {
  /** All models. Returns the same array until the list is read again. */
  models(): Promise<readonly Model[]>
  find(id: string): Promise<Model | undefined>
  /** Call it on the `models-changed` signal. */
  drop(): void
}

/** Reads the list on demand; concurrent callers share one read. */
export function createRegistry(store: Pick<ModelStore, 'list'>, now: Clock): Registry {
  const list = createFreshValue<readonly Model[]>({ maxAgeMs, now })
  const models = (): Promise<readonly Model[]> => list.get(() => store.list())
  return {
    models,
    find: async (id) => (await models()).find((model) => model.id === id),
    drop: list.drop,
  }
}
