import { type ProviderId, providerIds } from '@parley/contracts'
import { firstTokenSeconds } from '@parley/kit'
import { z } from 'zod'
import { type ProviderConfig, type Providers, publicBaseUrls } from './providers.ts'

/** Keys of several accounts, separated by commas. */
const apiKey = z.string().max(10_000).optional()
/** Text shown next to the provider's models. */
const notice = z.string().max(60).optional()
const baseUrl = (provider: ProviderId) =>
  z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).default(publicBaseUrls[provider])

const partsOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Keys, base URLs and notices of the providers, the private hosts that model endpoints may use, how long responses are stored, and first tokens awaited.
 */
export const routerVariables = {
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl('openai'),
  OPENAI_NOTICE: notice,
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: baseUrl('anthropic'),
  ANTHROPIC_NOTICE: notice,
  XAI_API_KEY: apiKey,
  XAI_BASE_URL: baseUrl('xai'),
  XAI_NOTICE: notice,
  GOOGLE_API_KEY: apiKey,
  GOOGLE_BASE_URL: baseUrl('google'),
  GOOGLE_NOTICE: notice,
  DEEPSEEK_API_KEY: apiKey,
  DEEPSEEK_BASE_URL: baseUrl('deepseek'),
  DEEPSEEK_NOTICE: notice,
  OPENROUTER_API_KEY: apiKey,
  OPENROUTER_BASE_URL: baseUrl('openrouter'),
  OPENROUTER_NOTICE: notice,
  /** Host names and addresses, separated by commas. */
  ALLOWED_PRIVATE_HOSTS: z
    .string()
    .default('')
    .transform((list) => partsOf(list.toLowerCase())),
  /** Days after which a stored response of `/v1/responses` is deleted; with 0 none is stored. */
  RESPONSE_RETENTION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30),
  FIRST_TOKEN_SECONDS: firstTokenSeconds,
}
type ProviderVariables = z.output<z.ZodObject<typeof routerVariables>>

/** The service's configuration. */
export interface LlmRouterConfig {
  readonly providers: Providers
  /** Hosts in private networks that a model's endpoint may use; lower case. */
  readonly allowedPrivateHosts: readonly string[]
  /** With 0 no response is stored. */
  readonly responseRetentionDays: number
}

/** The configuration from the values of `routerVariables`. */
export function routerConfigOf(variables: ProviderVariables): LlmRouterConfig {
  const entries = providerIds.map((provider) => {
    const prefix = provider.toUpperCase() as Uppercase<ProviderId>
    const apiKeys = [...new Set(partsOf(variables[`${prefix}_API_KEY`] ?? ''))]
    const config: ProviderConfig = {
      apiKeys,
      baseUrl: variables[`${prefix}_BASE_URL`],
      notice: variables[`${prefix}_NOTICE`],
    }
    return [provider, config] as const
  })
  return {
    providers: Object.fromEntries(entries) as Providers,
    allowedPrivateHosts: variables.ALLOWED_PRIVATE_HOSTS,
    responseRetentionDays: variables.RESPONSE_RETENTION_DAYS,
  }
}
