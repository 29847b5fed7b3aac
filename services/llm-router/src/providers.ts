import type { ProviderId } from '@parley/contracts'

/** The operator's settings for one provider. */
export interface ProviderConfig {
  /** One per account. Without any, the provider's models are listed but cannot answer. */
  readonly apiKeys: readonly string[]
  /** The base URL in the sense of the provider's SDK. */
  readonly baseUrl: string
  /** Shown to users next to the provider's models. */
  readonly notice?: string | undefined
}
/** The settings of all providers. */
export type Providers = Readonly<Record<ProviderId, ProviderConfig>>

/** Display names, in display order. */
export const providerNames: Readonly<Record<ProviderId, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  xai: 'xAI',
  google: 'Google',
  deepseek: 'DeepSeek',
  openrouter: 'OpenRouter',
}

/** The providers' public base URLs. */
export const publicBaseUrls: Readonly<Record<ProviderId, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  xai: 'https://api.x.ai/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  deepseek: 'https://api.deepseek.com',
  openrouter: 'https://openrouter.ai/api/v1',
}
