import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import { type ExportDeps, exportSubscription } from './data-export.ts'

export interface ConsumingDeps extends ExportDeps, Pick<ErasingDeps, 'log'> {}

/** The event subscriptions of share. */
export const shareSubscriptions = (deps: ConsumingDeps): readonly Subscription[] => [
  exportSubscription(deps),
  erasingSubscription({ ...deps, service: 'share', erase: deps.stores.shares.erase }),
]
