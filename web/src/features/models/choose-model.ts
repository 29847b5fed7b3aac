import type { Hierarchy, HierarchyModel } from '@parley/contracts'

/** The model of guests, and of users without a choice. */
const commonModel = 'v3'

/** A notice that the model was changed for the user. */
export type ModelNotice =
  | { type: 'disabled'; id: string }
  | { type: 'preferred-locked'; id: string; model: string }
  | { type: 'available' }

export interface ChoiceInput {
  readonly models: readonly HierarchyModel[]
  /** The selected model; null before the first choice. */
  readonly selected: string | null
  /** The account's default model. */
  readonly preferred: string | null
  readonly guest: boolean
  /** The last choice found no model at all. */
  readonly hadNone: boolean
}

/** A stored choice; null when it cannot be a model's id. */
export const parseStoredModel = (raw: string | null): string | null =>
  raw !== null && /^[\w.:/-]{1,100}$/.test(raw) ? raw : null

/** The text or image models of a hierarchy, in its order. */
export const modelsOf = (hierarchy: Hierarchy, type: HierarchyModel['modelType']): HierarchyModel[] =>
  hierarchy.providers
    .flatMap((provider) => provider.groups.flatMap((group) => group.models))
    .filter((model) => model.modelType === type)

/** The first usable one of the preferred image models, else the first usable one; null if none is usable. */
export const chooseImageModel = (
  models: readonly HierarchyModel[],
  wanted: readonly (string | null)[],
): HierarchyModel | null =>
  wanted.map((id) => usable(models, id)).find((model) => model !== undefined) ??
  models.find((model) => !model.locked) ??
  null

/** Chooses the model to use, with a notice if needed. A null id means that none is usable. */
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
