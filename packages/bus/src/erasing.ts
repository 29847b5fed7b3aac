import { setTimeout as delay } from 'node:timers/promises'
import { authInternalRoutes, type EventOf, type ServiceName } from '@parley/contracts'
import { isAppError, type Logger, type ServiceClient } from '@parley/kit'
import type { Subscription } from './event-bus.ts'

/** Milliseconds between the tries of one event. */
const pausesMs = [200, 1_000]

export interface ErasingDeps {
  readonly service: ServiceName
  /** Removes all the service stores about a user, and prevents that late data brings it back; may be repeated. */
  readonly erase: (userId: string) => Promise<void>
  /** For the acknowledgement to auth. */
  readonly client: Pick<ServiceClient, 'call'>
  readonly log: Logger
}

/**
 * Erases users whose account was deleted, and acknowledges it to auth. A failure is no dead letter, which would keep the user's id: auth asks
 * again until it is acknowledged.
 */
export const erasingSubscription = (deps: ErasingDeps): Subscription => ({
  group: `${deps.service}.erasures`,
  handlers: { 'auth.user-deleted': (event) => eraseOne(deps, event) },
})

async function eraseOne(deps: ErasingDeps, { data }: EventOf<'auth.user-deleted'>): Promise<void> {
  for (const pauseMs of [...pausesMs, undefined]) {
    try {
      await deps.erase(data.userId)
      await acknowledge(deps, data.erasureId)
      return
    } catch (error) {
      const { erasureId } = data
      deps.log.warn({ err: error, erasureId, lastTry: pauseMs === undefined }, 'a user could not be erased')
      if (pauseMs !== undefined) await delay(pauseMs)
    }
  }
}

async function acknowledge({ client, service }: ErasingDeps, erasureId: string): Promise<void> {
  try {
    await client.call(authInternalRoutes.acknowledgeErasure, { params: { id: erasureId }, body: { service } })
  } catch (error) {
    // Auth no longer knows an erasure that is complete.
    if (!isAppError(error) || error.code !== 'not_found') throw error
  }
}
