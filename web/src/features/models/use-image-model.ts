import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hierarchyQuery } from '../../shared/api/index.ts'
import { modelKeys } from '../../shared/preferences/index.ts'
import { readLocal, useSession, writeLocal } from '../../shared/session/index.ts'
import { chooseImageModel, modelsOf, parseStoredModel } from './choose-model.ts'

const storageKey = modelKeys.image

/** The available image models, and the one chosen in this browser, else the account's default, else the first usable one. */
export function useImageModel() {
  const { data: hierarchy } = useQuery(hierarchyQuery)
  const preferred = useSession((state) => state.user?.preferences.defaultImageModel ?? null)
  const [selected, setSelected] = useState(() => parseStoredModel(readLocal(storageKey)))
  const models = hierarchy ? modelsOf(hierarchy, 'image') : []
  return {
    models,
    /** Null while the models are unknown, and if none is usable. */
    model: chooseImageModel(models, [selected, preferred]),
    choose: (id: string) => {
      writeLocal(storageKey, id)
      setSelected(id)
    },
  }
}
