import type { Model, Usage } from '@parley/contracts'
import type { AdminAct, UndoingAct } from '@parley/kit'

/** The fields set by admins. */
export type ModelFields = Omit<Model, 'id' | 'version' | 'usage' | 'createdAt' | 'updatedAt' | 'updatedBy'>

/** The result of a change: the updated model or, for an outdated version, the current one. */
export interface ModelChange {
  readonly outcome: 'changed' | 'conflict'
  readonly model: Model
}

/** An undone change, for the audit log. */
export interface UndoneChange {
  readonly target: string | null
  readonly targetName?: string | undefined
  readonly before: unknown
  readonly after: unknown
}

/** Tokens of an answer; images have none. */
export type AnswerUsage = Pick<Usage, 'inputTokens' | 'outputTokens'>

/** The registry. Each call is atomic; changes by admins are written together with their event. */
export interface ModelStore {
  /** All models with their usage, in the order in which they were added. */
  list(): Promise<readonly Model[]>
  /** Undefined for an unknown model. */
  find(id: string): Promise<Model | undefined>
  /** Resolves to undefined, without a change, when the id is taken. */
  add(id: string, fields: ModelFields, act: AdminAct): Promise<Model | undefined>
  /**
   * Updates the given fields only; undefined for an unknown model.
   * @param version the expected version; otherwise the update is refused with the current model
   */
  change(id: string, fields: Partial<ModelFields>, act: AdminAct, version?: number): Promise<ModelChange | undefined>
  /** Removes the model, also from the fallbacks of others; false when it does not exist. */
  remove(id: string, act: AdminAct): Promise<boolean>
  /** Enables or disables all models, or those of a provider. Resolves to the registry afterwards. */
  toggle(enabled: boolean, provider: Model['provider'] | undefined, act: AdminAct): Promise<readonly Model[]>
  /**
   * Undoes a change of a model, or a toggle for the models that still exist, once. Resolves to the data for the audit log.
   * @param check throws to refuse the resulting models
   * @throws AppError conflict when a model has changed since
   */
  undo(
    action: string,
    act: UndoingAct,
    check: (id: string, fields: ModelFields) => Promise<void>,
  ): Promise<UndoneChange>
  /** Adds an answer of `durationMs` to the model's usage, and its tokens and cost to those of the day; does nothing for a removed model. */
  recordAnswer(id: string, durationMs: number, usage: AnswerUsage): Promise<void>
  /** Publishes the costs of days that have changed since they were last published. */
  publishProviderDays(): Promise<void>
}
