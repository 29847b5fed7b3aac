import type { Embedder, Model } from '@parley/contracts'
import { isAtProvider } from '../completion/target.ts'
import type { Providers } from '../providers.ts'

/** The model that makes vectors for memory: of those that are enabled and can be called the one that costs the fewest credits, the first of equal ones. */
export function chooseEmbedder(models: readonly Model[], providers: Providers): Model | undefined {
  const canBeCalled = (model: Model): boolean => {
    const provider = providers[model.provider]
    return provider.apiKeys.length > 0 || !isAtProvider(model, provider)
  }
  return models
    .filter((model) => model.modelType === 'embedding' && model.enabled && canBeCalled(model))
    .toSorted((one, other) => one.creditsPerMessage - other.creditsPerMessage)[0]
}

/** What names the vectors of a model: an entry that is pointed at another model of its provider makes others. */
export const presentEmbedder = ({ id, apiModelName }: Pick<Model, 'id' | 'apiModelName'>): Embedder => ({
  model: id,
  space: apiModelName === '' || apiModelName === id ? id : `${id} ${apiModelName}`,
})
