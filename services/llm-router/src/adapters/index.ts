import type { SdkType } from '@parley/contracts'
import type { Adapter } from './adapter.ts'
import { anthropicAdapter } from './anthropic-adapter.ts'
import { fetchAdapter } from './fetch-adapter.ts'
import { openaiAdapter } from './openai-adapter.ts'

/** The adapter of each SDK type. */
export const adapters: Readonly<Record<SdkType, Adapter>> = {
  'openai-sdk': openaiAdapter,
  'xai-sdk': openaiAdapter,
  openrouter: openaiAdapter,
  'anthropic-sdk': anthropicAdapter,
  fetch: fetchAdapter,
}
