import type { Hierarchy, HierarchyModel } from '@parley/contracts'
import type { ExampleName, ExampleValues } from './examples/index.ts'

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

type ExampleModels = Pick<ExampleValues, 'textModel' | 'imageModel' | 'embeddingModel'>
/** Those of a new installation, and a usual one for embeddings, which it has none for. */
const usualModels: ExampleModels = {
  textModel: 'v3',
  imageModel: 'gpt-image-2',
  embeddingModel: 'text-embedding-3-small',
}

/** The models of the examples, the cheapest of each kind, and the examples that would fail because there is no such model. */
export function exampleModels(hierarchy: Hierarchy | undefined): {
  readonly values: ExampleModels
  readonly lacking: ReadonlySet<ExampleName>
} {
  if (hierarchy === undefined) return { values: usualModels, lacking: new Set() }
  const { text, image } = usableModels(hierarchy)
  // A server of the previous version does not say which it has.
  const { embeddingModels } = hierarchy
  const found = { textModel: text[0]?.id, imageModel: image[0]?.id, embeddingModel: embeddingModels?.[0] }
  const lacking: ExampleName[] = []
  if (found.imageModel === undefined) lacking.push('images')
  if (embeddingModels?.length === 0) lacking.push('embeddings')
  return {
    values: {
      textModel: found.textModel ?? usualModels.textModel,
      imageModel: found.imageModel ?? usualModels.imageModel,
      embeddingModel: found.embeddingModel ?? usualModels.embeddingModel,
    },
    lacking: new Set(lacking),
  }
}
