import type { Tools } from '@parley/kit'
import type { Owners } from './keys/owners.ts'
import type { PresentKeys } from './keys/present-key.ts'
import type { UsedKeys } from './keys/used-keys.ts'
import type { RecentSettings } from './recent-settings.ts'
import type { Signals } from './signals.ts'
import type { BillingStores } from './store/index.ts'

/** The parts shared by the routes of one billing service. */
export interface BillingParts extends Signals, Pick<Tools, 'now' | 'newId'> {
  readonly stores: BillingStores
  readonly settings: RecentSettings
  readonly owners: Owners
  readonly present: PresentKeys
  readonly used: UsedKeys
}
