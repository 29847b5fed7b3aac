import type { Subscription } from '@parley/bus'
import type { Clock } from '@parley/kit'
import type { Credits } from './connections/credits.ts'

/** A change that was told of longer ago is known by now, or nobody waits for it. Milliseconds. */
const staleMs = 60_000

export interface ConsumingDeps {
  readonly credits: Pick<Credits, 'renew'>
  readonly now: Clock
}

/** Subscribes to changed credits, whose remainder is sent to their users. */
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
