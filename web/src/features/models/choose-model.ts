import type { Hierarchy, HierarchyModel } from '@parley/contracts'

/** The model every guest is given, and whoever has not chosen one. */
const commonModel = 'v3'

/** What a person is told when their model was changed for them. */
export type ModelNotice =
  | { type: 'disabled'; id: string }
  | { type: 'preferred-locked'; id: string; model: string }
  | { type: 'available' }

/** What a choice depends on. */
export interface ChoiceInput {
  readonly models: readonly HierarchyModel[]
  /** The model in use; null before the first choice. */
  readonly selected: string | null
  /** The account's default model. */
  readonly preferred: string | null
  readonly guest: boolean
  /** The last choice found no model at all. */
  readonly hadNone: boolean
}

/** A stored choice; null when the text cannot be a model's id. */
export const parseStoredModel = (raw: string | null): string | null =>
  raw !== null && /^[\w.:/-]{1,100}$/.test(raw) ? raw : null

/** The models of a hierarchy that write or that draw, in its order. */
export const modelsOf = (hierarchy: Hierarchy, type: HierarchyModel['modelType']): HierarchyModel[] =>
  hierarchy.providers
    .flatMap((provider) => provider.groups.flatMap((group) => group.models))
    .filter((model) => model.modelType === type)

/** The first of the wanted image models that can be used, else the first of all that can; null when none can. */
export const chooseImageModel = (
  models: readonly HierarchyModel[],
  wanted: readonly (string | null)[],
): HierarchyModel | null =>
  wanted.map((id) => usable(models, id)).find((model) => model !== undefined) ??
  models.find((model) => !model.locked) ??
  null

/** Decides which model is used, and what to tell about it. A null id means that none can be used. */
export function chooseModel(input: ChoiceInput): { id: string | null; notice: ModelNotice | null } {
  const { models, selected, preferred, guest, hadNone } = input
  if (guest) return { id: usable(models, commonModel)?.id ?? null, notice: null }
  const first = models.find((model) => !model.locked)
  if (!first) return { id: null, notice: selected === null || hadNone ? null : { type: 'disabled', id: selected } }
  if (hadNone) {
    const back = usable(models, selected) ?? usable(models, preferred) ?? first
    return { id: back.id, notice: { type: 'available' } }
  }
  if (selected !== null && usable(models, selected)) return { id: selected, notice: null }
  if (selected !== null) return { id: first.id, notice: { type: 'disabled', id: selected } }
  if (preferred === null) return { id: (usable(models, commonModel) ?? first).id, notice: null }
  if (usable(models, preferred)) return { id: preferred, notice: null }
  const locked = models.some((model) => model.id === preferred)
  return { id: first.id, notice: locked ? { type: 'preferred-locked', id: preferred, model: first.name } : null }
}

const usable = (models: readonly HierarchyModel[], id: string | null) =>
  models.find((model) => model.id === id && !model.locked)
