import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import { jsonLines } from '@parley/kit'
import { exportedLinks } from './data-export.ts'
import type { ShareStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<UserDataDeps, 'client' | 'log' | 'newId'> {
  readonly stores: Pick<ShareStores, 'shares'>
}

/** The event subscriptions of share. */
export const shareSubscriptions = (deps: ConsumingDeps): readonly Subscription[] =>
  userDataSubscriptions({
    ...deps,
    service: 'share',
    filesOf: (userId) => [{ path: 'shared-links.json', content: jsonLines(exportedLinks(deps.stores.shares, userId)) }],
    erase: deps.stores.shares.erase,
  })
