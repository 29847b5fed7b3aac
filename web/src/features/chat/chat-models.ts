import type { HierarchyModel } from '@parley/contracts'

/** The available models and the selected ones; null if none is usable or they are not loaded. */
export interface ChatModels {
  readonly model: HierarchyModel | null
  /** All text models, including locked ones. */
  readonly texts: readonly HierarchyModel[]
  readonly image: HierarchyModel | null
  /** All image models, including locked ones. */
  readonly images: readonly HierarchyModel[]
  readonly choose: (id: string) => void
  readonly chooseImage: (id: string) => void
}
