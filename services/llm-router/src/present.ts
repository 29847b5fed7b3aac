import {
  type Hierarchy,
  type HierarchyModel,
  hierarchyModelSchema,
  type Model,
  type ModelInfo,
  modelInfoSchema,
  providerIds,
} from '@parley/contracts'
import type { z } from 'zod'
import type { Asked } from './completion/ask-models.ts'
import { usableEmbedders } from './embeddings/choose-embedder.ts'
import type { Image } from './images/read-image.ts'
import { type Providers, providerNames } from './providers.ts'

/** The viewer's rights, and the models that are unavailable. */
export interface Viewing {
  /** Disabled models are shown as locked to everybody else. */
  readonly seesAll: boolean
  readonly unavailable: ReadonlySet<string>
}

/** The models for the picker, without endpoints, headers or keys. */
export function presentHierarchy(models: readonly Model[], providers: Providers, viewing: Viewing): Hierarchy {
  const shown = providerIds.map((id) => {
    const own = models.filter(({ modelType, provider }) => modelType !== 'embedding' && provider === id)
    const groups = [...new Set(own.map((model) => model.group))].map((name) => ({
      name,
      models: own.filter((model) => model.group === name).map((model) => presentChoice(model, viewing)),
    }))
    return { id, name: providerNames[id], notice: providers[id].notice ?? null, groups }
  })
  return {
    providers: shown.filter((provider) => provider.groups.length > 0),
    embeddingModels: usableEmbedders(models, providers).map(({ id }) => id),
  }
}

/** The fields of a model that chat needs. */
export const presentInfo = (model: Model): ModelInfo => fieldsOf(modelInfoSchema, model)

/** A generated image, with the model that generated it. */
export const presentImage = ({ model, answer }: Asked<Image>) => ({
  model: model.id,
  creditsPerMessage: model.creditsPerMessage,
  mimeType: answer.mimeType,
  data: Buffer.from(answer.bytes).toString('base64'),
})

const presentChoice = (model: Model, { seesAll, unavailable }: Viewing): HierarchyModel => ({
  ...fieldsOf(hierarchyModelSchema, model),
  locked: !model.enabled && !seesAll,
  available: !unavailable.has(model.id),
})

/** The fields of a model that a schema has. */
const fieldsOf = <Schema extends z.ZodObject>({ shape }: Schema, model: Model): z.infer<Schema> =>
  Object.fromEntries(Object.entries(model).filter(([name]) => name in shape)) as z.infer<Schema>
