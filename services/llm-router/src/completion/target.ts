import type { Model } from '@parley/contracts'
import type { Egress } from '@parley/kit/egress'
import type { Target } from '../adapters/adapter.ts'
import type { ProviderConfig } from '../providers.ts'

/**
 * A model's address and credentials. The provider's key is only sent to the origin of the provider's configured base URL; a different
 * endpoint registered by an admin is called without it, and through the guard against private networks.
 * @param nextKey the key of the account to use
 * @returns undefined when the model is at the provider's own address and no account is available
 */
export function targetOf(
  model: Model,
  provider: ProviderConfig,
  egress: Egress,
  nextKey: () => string | undefined,
): Target | undefined {
  const own = isAtProvider(model, provider)
  const apiKey = own ? nextKey() : undefined
  if (own && apiKey === undefined) return undefined
  return {
    provider: model.provider,
    baseUrl: model.apiEndpoint || provider.baseUrl,
    apiKey,
    apiModelName: model.apiModelName || model.id,
    maxTokens: model.maxTokens,
    temperature: model.temperature,
    thinks: model.supportsThinking,
    headers: Object.fromEntries(model.customHeaders.map(({ name, value }) => [name, value])),
    fetch: own ? egress.trusted : egress.guarded,
    dispatcher: own ? egress.dispatchers.trusted : egress.dispatchers.guarded,
  }
}

/** Whether a model is called at its provider's configured address rather than at its own endpoint. */
export const isAtProvider = ({ apiEndpoint }: Pick<Model, 'apiEndpoint'>, { baseUrl }: ProviderConfig): boolean =>
  apiEndpoint === '' || originOf(apiEndpoint) === originOf(baseUrl)

const originOf = (url: string): string => new URL(url).origin
