import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import { type ExportDeps, exportSubscription } from './data-export.ts'
import type { LlmRouterStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<ErasingDeps, 'client' | 'log'>, Pick<ExportDeps, 'newId'> {
  readonly stores: Pick<LlmRouterStores, 'erasures' | 'responses'>
}

/** All subscriptions of llm-router. */
export const llmRouterSubscriptions = (deps: ConsumingDeps): readonly Subscription[] => [
  exportSubscription(deps),
  erasingSubscription({ ...deps, service: 'llm-router', erase: deps.stores.erasures.erase }),
]
