import type { Hierarchy, HierarchyModel } from '@parley/contracts'

type ModelsByType = Readonly<Record<HierarchyModel['modelType'], readonly HierarchyModel[]>>

/** The models available to the reader's keys, by type, the cheapest first; empty until they are known. */
export function usableModels(hierarchy: Hierarchy | undefined): ModelsByType {
  const models = (hierarchy?.providers ?? [])
    .flatMap(({ groups }) => groups.flatMap((group) => group.models))
    .filter(({ locked }) => !locked)
    .sort((one, other) => one.creditsPerMessage - other.creditsPerMessage)
  return {
    text: models.filter(({ modelType }) => modelType === 'text'),
    image: models.filter(({ modelType }) => modelType === 'image'),
  }
}
