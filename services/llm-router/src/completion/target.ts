import type { Model } from '@parley/contracts'
import type { Egress } from '@parley/kit/egress'
import type { Target } from '../adapters/adapter.ts'
import type { ProviderConfig } from '../providers.ts'

/**
 * Where a model is called and with what. The provider's key goes to the origin of the provider's configured base URL and nowhere else;
 * an endpoint that an admin registered elsewhere is called without it, through the guard against private networks.
 * @returns undefined when the provider's own address is meant and no key is configured
 */
export function targetOf(model: Model, provider: ProviderConfig, egress: Egress): Target | undefined {
  const own = model.apiEndpoint === '' || originOf(model.apiEndpoint) === originOf(provider.baseUrl)
  if (own && provider.apiKey === undefined) return undefined
  return {
    provider: model.provider,
    baseUrl: model.apiEndpoint || provider.baseUrl,
    apiKey: own ? provider.apiKey : undefined,
    apiModelName: model.apiModelName || model.id,
    maxTokens: model.maxTokens,
    temperature: model.temperature,
    thinks: model.supportsThinking,
    headers: Object.fromEntries(model.customHeaders.map(({ name, value }) => [name, value])),
    fetch: own ? egress.trusted : egress.guarded,
  }
}

const originOf = (url: string): string => new URL(url).origin
