import { setTimeout as delay } from 'node:timers/promises'
import { billingInternalRoutes } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

/**
 * Milliseconds for which changes are gathered before a request. This limits the events that a user receives, and leaves the moment after a hold,
 * which changes credits, to the answer's first token.
 */
const gatherMs = 250
/** Users in one request. */
const usersAtOnce = 200

export interface CreditsDeps {
  readonly client: ServiceClient
  /** Sends the remaining credits to every connection of a user. */
  readonly emit: (userId: string, remaining: number) => void
  readonly log: Logger
}

/** Sends users their remaining credits after they changed. Best effort: a value that is not sent arrives with the next change, or when the client reads it. */
export function createCredits({ client, emit, log }: CreditsDeps) {
  const changed = new Set<string>()
  const stopping = new AbortController()
  let fetching: Promise<void> | undefined
  const fetchSome = async (): Promise<void> => {
    const userIds = [...changed].slice(0, usersAtOnce)
    for (const userId of userIds) changed.delete(userId)
    try {
      const { accounts } = await client.call(billingInternalRoutes.accounts, { body: { userIds }, repeat: true })
      for (const { userId, credits } of accounts) emit(userId, credits.remaining)
    } catch (error) {
      log.warn({ err: error, users: userIds.length }, 'remaining credits could not be read from billing')
    }
  }
  const fetchAll = async (): Promise<void> => {
    while (changed.size > 0) {
      await delay(gatherMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await fetchSome()
    }
    fetching = undefined
  }
  return {
    /** Sends these users their remaining credits after a change, or after one may have been missed. Concurrent changes are coalesced. */
    renew(userIds: Iterable<string>): void {
      for (const userId of userIds) changed.add(userId)
      if (changed.size > 0) fetching ??= fetchAll()
    },
    /** Resolves once the current request has ended. */
    async stop(): Promise<void> {
      stopping.abort()
      await fetching
    },
  }
}

/** Sends remaining credits. */
export type Credits = ReturnType<typeof createCredits>
