import type { HierarchyModel } from '@parley/contracts'

/** The models that a message can be for, and the ones in use; null where none can be used or they are not known yet. */
export interface ChatModels {
  readonly model: HierarchyModel | null
  /** Every text model, locked ones included. */
  readonly texts: readonly HierarchyModel[]
  readonly image: HierarchyModel | null
  /** Every image model, locked ones included. */
  readonly images: readonly HierarchyModel[]
  readonly choose: (id: string) => void
  readonly chooseImage: (id: string) => void
}
