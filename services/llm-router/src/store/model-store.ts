import type { Model } from '@parley/contracts'
import type { AdminAct } from '@parley/kit'

/** What an admin sets. */
export type ModelFields = Omit<Model, 'id' | 'usage' | 'createdAt' | 'updatedAt' | 'updatedBy'>

/** The registry. Each call is one atomic act; what an admin changes is told by an event, written with it. */
export interface ModelStore {
  /** Every model with its use, in the order they were added. */
  list(): Promise<readonly Model[]>
  /** Undefined when there is no such model. */
  find(id: string): Promise<Model | undefined>
  /** Resolves to undefined, with nothing changed, when the id is taken. */
  add(id: string, fields: ModelFields, act: AdminAct): Promise<Model | undefined>
  /** Changes the given fields only; undefined when there is no such model. */
  change(id: string, fields: Partial<ModelFields>, act: AdminAct): Promise<Model | undefined>
  /** Removes the model, also from the fallbacks of others; false when there is none. */
  remove(id: string, act: AdminAct): Promise<boolean>
  /** Enables or disables all models of a provider, or all. Resolves to the registry after it. */
  toggle(enabled: boolean, provider: Model['provider'] | undefined, act: AdminAct): Promise<readonly Model[]>
  /** Counts an answer of `durationMs` into the model's use; nothing happens when the model is gone. */
  recordAnswer(id: string, durationMs: number): Promise<void>
}
