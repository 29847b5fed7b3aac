import type { ProviderId } from '@parley/contracts'

/** What the operator has set for one provider. */
export interface ProviderConfig {
  /** One for each of the operator's accounts. Without any the provider's models stay listed and cannot answer. */
  readonly apiKeys: readonly string[]
  /** What the provider's SDK calls its base URL. */
  readonly baseUrl: string
  /** Shown to people with the provider's models. */
  readonly notice?: string | undefined
}
/** What is set for every provider. */
export type Providers = Readonly<Record<ProviderId, ProviderConfig>>

/** Names as people know them, in the order they are shown. */
export const providerNames: Readonly<Record<ProviderId, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  xai: 'xAI',
  google: 'Google',
  deepseek: 'DeepSeek',
  openrouter: 'OpenRouter',
}

/** The providers' public addresses. */
export const publicBaseUrls: Readonly<Record<ProviderId, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  xai: 'https://api.x.ai/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  deepseek: 'https://api.deepseek.com',
  openrouter: 'https://openrouter.ai/api/v1',
}
