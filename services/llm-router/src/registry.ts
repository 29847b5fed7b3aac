import type { Model } from '@parley/contracts'
import { type Clock, createFreshValue } from '@parley/kit'
import type { ModelStore } from './store/model-store.ts'

/** How old a list may be when the signal of a change was lost. Milliseconds. */
const maxAgeMs = 10_000

/** The registry as this replica last read it. */
export interface Registry {
  /** Every model. The same array as before as long as nothing was read anew. */
  models(): Promise<readonly Model[]>
  find(id: string): Promise<Model | undefined>
  /** To be called on the `models-changed` signal. */
  drop(): void
}

/** Reads the list on demand; concurrent callers share one reading. */
export function createRegistry(store: Pick<ModelStore, 'list'>, now: Clock): Registry {
  const list = createFreshValue<readonly Model[]>({ maxAgeMs, now })
  const models = (): Promise<readonly Model[]> => list.get(() => store.list())
  return {
    models,
    find: async (id) => (await models()).find((model) => model.id === id),
    drop: list.drop,
  }
}
