import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import type { LlmRouterStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<ErasingDeps, 'client' | 'log'> {
  readonly stores: Pick<LlmRouterStores, 'erasures'>
}

/** All subscriptions of llm-router. */
export const llmRouterSubscriptions = ({ stores, client, log }: ConsumingDeps): readonly Subscription[] => [
  erasingSubscription({ service: 'llm-router', erase: stores.erasures.erase, client, log }),
]
