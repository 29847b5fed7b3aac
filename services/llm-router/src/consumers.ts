import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import type { LlmRouterStores } from './store/index.ts'

/** What doing something with events uses. */
export interface ConsumingDeps extends Pick<ErasingDeps, 'client' | 'log'> {
  readonly stores: Pick<LlmRouterStores, 'erasures'>
}

/** All that llm-router does with events. */
export const llmRouterSubscriptions = ({ stores, client, log }: ConsumingDeps): readonly Subscription[] => [
  erasingSubscription({ service: 'llm-router', erase: stores.erasures.erase, client, log }),
]
