import type { Model } from '@parley/contracts'
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
export function createRegistry(store: Pick<ModelStore, 'list'>, now: () => Date): Registry {
  let known: { models: readonly Model[]; at: number } | undefined
  let reading: Promise<readonly Model[]> | undefined
  let drops = 0
  const read = async (): Promise<readonly Model[]> => {
    const begun = drops
    const models = await store.list()
    // A list that was being read when a change was signalled may be the old one.
    if (begun === drops) known = { models, at: now().getTime() }
    return models
  }
  const models = (): Promise<readonly Model[]> => {
    if (known !== undefined && now().getTime() - known.at < maxAgeMs) return Promise.resolve(known.models)
    const current = reading ?? read()
    reading = current
    const done = (): void => {
      if (reading === current) reading = undefined
    }
    current.then(done, done)
    return current
  }
  return {
    models,
    find: async (id) => (await models()).find((model) => model.id === id),
    drop() {
      drops += 1
      known = undefined
      reading = undefined
    },
  }
}
