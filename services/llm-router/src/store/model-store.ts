import type { Model, Usage } from '@parley/contracts'
import type { AdminAct, UndoingAct } from '@parley/kit'

/** What an admin sets. */
export type ModelFields = Omit<Model, 'id' | 'version' | 'usage' | 'createdAt' | 'updatedAt' | 'updatedBy'>

/** What became of a change: the model after it, or, when another version was to be changed, as it stands. */
export interface ModelChange {
  readonly outcome: 'changed' | 'conflict'
  readonly model: Model
}

/** What was taken back, as the audit log tells it. */
export interface UndoneChange {
  readonly target: string | null
  readonly targetName?: string | undefined
  readonly before: unknown
  readonly after: unknown
}

/** Tokens of an answer; none of an image. */
export type AnswerUsage = Pick<Usage, 'inputTokens' | 'outputTokens'>

/** The registry. Each call is one atomic act; what an admin changes is told by an event, written with it. */
export interface ModelStore {
  /** Every model with its use, in the order they were added. */
  list(): Promise<readonly Model[]>
  /** Undefined when there is no such model. */
  find(id: string): Promise<Model | undefined>
  /** Resolves to undefined, with nothing changed, when the id is taken. */
  add(id: string, fields: ModelFields, act: AdminAct): Promise<Model | undefined>
  /**
   * Changes the given fields only; undefined when there is no such model.
   * @param version refused with the present model when it is not its version
   */
  change(id: string, fields: Partial<ModelFields>, act: AdminAct, version?: number): Promise<ModelChange | undefined>
  /** Removes the model, also from the fallbacks of others; false when there is none. */
  remove(id: string, act: AdminAct): Promise<boolean>
  /** Enables or disables all models of a provider, or all. Resolves to the registry after it. */
  toggle(enabled: boolean, provider: Model['provider'] | undefined, act: AdminAct): Promise<readonly Model[]>
  /**
   * Takes a change of a model, or of those of a toggle that are still there, back, once. Resolves to what the audit log is told.
   * @param check refuses what the models would be then, by throwing
   * @throws AppError conflict when one is not as the change left it
   */
  undo(
    action: string,
    act: UndoingAct,
    check: (id: string, fields: ModelFields) => Promise<void>,
  ): Promise<UndoneChange>
  /** Counts an answer of `durationMs` into the model's use, and its tokens and their cost into those of the day; nothing happens when the model is gone. */
  recordAnswer(id: string, durationMs: number, usage: AnswerUsage): Promise<void>
  /** Tells by events what days cost by now of which it was not told yet. */
  tellProviderDays(): Promise<void>
}
