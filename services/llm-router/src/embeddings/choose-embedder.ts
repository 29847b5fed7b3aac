import type { Embedder, Model } from '@parley/contracts'
import { isAtProvider } from '../completion/target.ts'
import type { Providers } from '../providers.ts'

/** The embedding models that are enabled and configured, the cheapest in credits first. */
export function usableEmbedders(models: readonly Model[], providers: Providers): readonly Model[] {
  const canBeCalled = (model: Model): boolean => {
    const provider = providers[model.provider]
    return provider.apiKeys.length > 0 || !isAtProvider(model, provider)
  }
  return models
    .filter((model) => model.modelType === 'embedding' && model.enabled && canBeCalled(model))
    .toSorted((one, other) => one.creditsPerMessage - other.creditsPerMessage)
}

/** The embedding model of memory: the first usable one. */
export const chooseEmbedder = (models: readonly Model[], providers: Providers): Model | undefined =>
  usableEmbedders(models, providers)[0]

/** Identifies a model's vectors: an entry that is changed to another model of its provider produces different ones. */
export const presentEmbedder = ({ id, apiModelName }: Pick<Model, 'id' | 'apiModelName'>): Embedder => ({
  model: id,
  space: apiModelName === '' || apiModelName === id ? id : `${id} ${apiModelName}`,
})
