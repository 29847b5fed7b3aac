import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import { jsonLines } from '@parley/kit'
import type { LlmRouterStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<UserDataDeps, 'client' | 'log' | 'newId'> {
  readonly stores: Pick<LlmRouterStores, 'erasures' | 'responses'>
}

/** All subscriptions of llm-router. */
export const llmRouterSubscriptions = (deps: ConsumingDeps): readonly Subscription[] =>
  userDataSubscriptions({
    ...deps,
    service: 'llm-router',
    filesOf: (userId) => [{ path: 'api-responses.json', content: jsonLines(deps.stores.responses.all(userId)) }],
    erase: deps.stores.erasures.erase,
  })
