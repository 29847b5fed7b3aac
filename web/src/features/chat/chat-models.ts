import type { HierarchyModel } from '@parley/contracts'

/** Available models and the selected one. */
export interface ModelSelection {
  /** Null if none is usable or they are not loaded. */
  readonly model: HierarchyModel | null
  /** Including locked ones. */
  readonly models: readonly HierarchyModel[]
  readonly choose: (id: string) => void
}

/** The models of answers and of generated images. */
export interface ChatModels {
  readonly text: ModelSelection
  readonly image: ModelSelection
}
