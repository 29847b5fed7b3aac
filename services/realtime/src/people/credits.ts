import { setTimeout as delay } from 'node:timers/promises'
import type { Subscription } from '@parley/bus'
import { billingInternalRoutes } from '@parley/contracts'
import type { Clock, Logger, ServiceClient } from '@parley/kit'

/** Milliseconds between two questions: however often credits change, nobody is told more often. */
const pauseMs = 250
/** Users in one question. */
const usersAtOnce = 200
/** A change that was told of longer ago is known by now, or nobody waits for it. Milliseconds. */
const staleMs = 60_000

/** What telling of credits uses. */
export interface CreditsDeps {
  readonly client: ServiceClient
  /** Tells every connection of a user, on whatever replica. */
  readonly tell: (userId: string, remaining: number) => void
  readonly log: Logger
  readonly now: Clock
}

/** Tells users what they have left, after it changed. */
export interface Credits {
  /** What realtime does with events. A user is asked about once for all changes of a moment. */
  readonly subscription: Subscription
  /** Tells these users what they have left, as a change may have been missed. */
  renew(userIds: Iterable<string>): void
  /** Resolves once what was asked has been told. */
  stop(): Promise<void>
}

/** A change that is not told is found with the next one, or when the user looks. */
export function createCredits({ client, tell, log, now }: CreditsDeps): Credits {
  const changed = new Set<string>()
  const stopping = new AbortController()
  let asking: Promise<void> | undefined
  const askSome = async (): Promise<void> => {
    const userIds = [...changed].slice(0, usersAtOnce)
    for (const userId of userIds) changed.delete(userId)
    try {
      const { accounts } = await client.call(billingInternalRoutes.accounts, { body: { userIds }, repeat: true })
      for (const { userId, credits } of accounts) tell(userId, credits.remaining)
    } catch (error) {
      log.warn({ err: error, users: userIds.length }, 'credits could not be asked for')
    }
  }
  const askAll = async (): Promise<void> => {
    while (changed.size > 0 && !stopping.signal.aborted) {
      await askSome()
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    asking = undefined
  }
  const renew: Credits['renew'] = (userIds) => {
    for (const userId of userIds) changed.add(userId)
    asking ??= askAll()
  }
  return {
    subscription: {
      group: 'realtime.credits',
      handlers: {
        'billing.credits-changed': async ({ at, data }) => {
          if (now().getTime() - Date.parse(at) > staleMs) return
          renew([data.userId])
        },
      },
    },
    renew,
    async stop() {
      stopping.abort()
      await asking
    },
  }
}
