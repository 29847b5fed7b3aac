import type { Subscription } from '@parley/bus'
import type { Clock } from '@parley/kit'
import type { Credits } from './connections/credits.ts'

/** Older changes are skipped: clients have read their credits since, or are gone. Milliseconds. */
const staleMs = 60_000

export interface ConsumingDeps {
  readonly credits: Pick<Credits, 'renew'>
  readonly now: Clock
}

/** Sends users their remaining credits when billing publishes a change. */
export const realtimeSubscriptions = ({ credits, now }: ConsumingDeps): readonly Subscription[] => [
  {
    group: 'realtime.credits',
    handlers: {
      'billing.credits-changed': async ({ at, data }) => {
        if (now().getTime() - Date.parse(at) > staleMs) return
        credits.renew([data.userId])
      },
    },
  },
]
