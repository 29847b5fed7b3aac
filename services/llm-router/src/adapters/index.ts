import type { SdkType } from '@parley/contracts'
import type { Adapter } from './adapter.ts'
import { anthropicAdapter } from './anthropic-adapter.ts'
import { fetchAdapter } from './fetch-adapter.ts'
import { openaiAdapter } from './openai-adapter.ts'
import { withShortNames } from './short-names.ts'

/** The adapter of each SDK type. */
export const adapters: Readonly<Record<SdkType, Adapter>> = {
  'openai-sdk': withShortNames(openaiAdapter),
  'xai-sdk': withShortNames(openaiAdapter),
  openrouter: withShortNames(openaiAdapter),
  'anthropic-sdk': anthropicAdapter,
  fetch: withShortNames(fetchAdapter),
}
