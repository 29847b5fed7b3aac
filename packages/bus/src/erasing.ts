import { setTimeout as delay } from 'node:timers/promises'
import { authInternalRoutes, type EventOf, type ServiceName } from '@parley/contracts'
import { isAppError, type Logger, type ServiceClient } from '@parley/kit'
import type { Subscription } from './event-bus.ts'

/** Milliseconds between the tries of one event. */
const pausesMs = [200, 1_000]

/** What a service erases users with. */
export interface ErasingDeps {
  readonly service: ServiceName
  /** Removes all that the service keeps of a user, so that nothing brings it back; again does no harm. */
  readonly erase: (userId: string) => Promise<void>
  /** To tell auth. */
  readonly client: Pick<ServiceClient, 'call'>
  readonly log: Logger
}

/**
 * Erases users whose account was deleted, and tells auth that it was done. What fails is no dead letter, which would keep the user's id: auth asks
 * again until it is told.
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
    // Of an erasure that is over auth knows nothing any more.
    if (!isAppError(error) || error.code !== 'not_found') throw error
  }
}
