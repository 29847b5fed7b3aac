import { setTimeout as delay } from 'node:timers/promises'
import { billingInternalRoutes } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

/** Milliseconds between two questions: however often credits change, nobody is told more often. */
const pauseMs = 250
/** Users in one question. */
const usersAtOnce = 200

/** What telling of credits uses. */
export interface CreditsDeps {
  readonly client: ServiceClient
  /** Tells every connection of a user, on whatever replica. */
  readonly tell: (userId: string, remaining: number) => void
  readonly log: Logger
}

/** Tells users what they have left, after it changed. */
export interface Credits {
  /** Tells these users what they have left, as it changed or a change may have been missed. A user is asked about once for all changes of a moment. */
  renew(userIds: Iterable<string>): void
  /** Resolves once what was asked has been told. */
  stop(): Promise<void>
}

/** A change that is not told is found with the next one, or when the user looks. */
export function createCredits({ client, tell, log }: CreditsDeps): Credits {
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
  return {
    renew(userIds) {
      for (const userId of userIds) changed.add(userId)
      asking ??= askAll()
    },
    async stop() {
      stopping.abort()
      await asking
    },
  }
}
