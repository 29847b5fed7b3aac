import type { HierarchyModel } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hierarchyQuery } from '../../shared/api/index.ts'
import { modelKeys } from '../../shared/preferences/index.ts'
import { readLocal, useSession, writeLocal } from '../../shared/session/index.ts'
import { chooseImageModel, modelsOf, parseStoredModel } from './choose-model.ts'

const storageKey = modelKeys.image

/** The available image models and the selected one. */
export interface ImageModelChoice {
  readonly models: readonly HierarchyModel[]
  /** Null while the models are unknown, and if none is usable. */
  readonly model: HierarchyModel | null
  readonly choose: (id: string) => void
}

/** The image model chosen in this browser, else the account's default, else the first usable one. */
export function useImageModel(): ImageModelChoice {
  const { data: hierarchy } = useQuery(hierarchyQuery)
  const preferred = useSession((state) => state.user?.preferences.defaultImageModel ?? null)
  const [selected, setSelected] = useState(() => parseStoredModel(readLocal(storageKey)))
  const models = hierarchy ? modelsOf(hierarchy, 'image') : []
  return {
    models,
    model: chooseImageModel(models, [selected, preferred]),
    choose: (id) => {
      writeLocal(storageKey, id)
      setSelected(id)
    },
  }
}
