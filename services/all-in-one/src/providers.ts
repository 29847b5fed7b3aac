import { providerIds } from '@parley/contracts'
import { type LlmRouterConfig, routerConfigOf } from '@parley/llm-router/config'
import type { AllInOneConfig } from './config.ts'

/** What people read beside a model that the demo stands in for. */
const demoNotice = 'Demo answers'
/** Sent to servers that ask for none. */
const noKey = 'none'

/** llm-router's config, with the demo server in the place of every provider that is not configured. */
export function providersOf(config: AllInOneConfig, demoUrl: string): LlmRouterConfig {
  const { providers, allowedPrivateHosts } = routerConfigOf(config)
  const entries = providerIds.map((id) => {
    const own = providers[id]
    const demo = { apiKey: noKey, baseUrl: demoUrl, notice: demoNotice }
    return [id, config.configured.has(id) ? { ...own, apiKey: own.apiKey ?? noKey } : demo] as const
  })
  return { providers: { ...providers, ...Object.fromEntries(entries) }, allowedPrivateHosts }
}
