import { type ProviderId, providerIds } from '@parley/contracts'
import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'
import { type Providers, publicBaseUrls } from './providers.ts'

const apiKey = z.string().max(1000).optional()
const baseUrl = (provider: ProviderId) =>
  z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).default(publicBaseUrls[provider])

/** Keys and base URLs of the providers, and what model endpoints may name in private networks. */
export const providerVariables = {
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl('openai'),
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: baseUrl('anthropic'),
  XAI_API_KEY: apiKey,
  XAI_BASE_URL: baseUrl('xai'),
  GOOGLE_API_KEY: apiKey,
  GOOGLE_BASE_URL: baseUrl('google'),
  DEEPSEEK_API_KEY: apiKey,
  DEEPSEEK_BASE_URL: baseUrl('deepseek'),
  OPENROUTER_API_KEY: apiKey,
  OPENROUTER_BASE_URL: baseUrl('openrouter'),
  /** Host names and addresses, separated by commas. */
  ALLOWED_PRIVATE_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((host) => host.trim().toLowerCase()))
    .transform((hosts) => hosts.filter((host) => host !== '')),
}
const providerSchema = z.object(providerVariables)

/** What the service is told when it is made. */
export interface LlmRouterConfig {
  readonly providers: Providers
  /** Hosts in private networks that a model's endpoint may name; lower case. */
  readonly allowedPrivateHosts: readonly string[]
}

/** The service's config out of the variables of `providerVariables`. */
export function routerConfigOf(variables: z.output<typeof providerSchema>): LlmRouterConfig {
  const entries = providerIds.map((provider) => {
    const prefix = provider.toUpperCase() as Uppercase<ProviderId>
    return [provider, { apiKey: variables[`${prefix}_API_KEY`], baseUrl: variables[`${prefix}_BASE_URL`] }] as const
  })
  return { providers: Object.fromEntries(entries) as Providers, allowedPrivateHosts: variables.ALLOWED_PRIVATE_HOSTS }
}

const processSchema = z.object({ ...commonConfig, POSTGRES_URL: z.url(), ...providerVariables })

/** Reads the variables of a process of its own. @throws ConfigError naming every fault */
export const readLlmRouterConfig = (environment: Readonly<Record<string, string | undefined>> = process.env) =>
  readConfig(processSchema, environment)
