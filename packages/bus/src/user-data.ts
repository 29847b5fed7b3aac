import { setTimeout as delay } from 'node:timers/promises'
import { authInternalRoutes, type EventOf } from '@parley/contracts'
import { contributeToExport, type ExportContribution, type ExportFile, isAppError, type Logger } from '@parley/kit'
import type { Subscription } from './event-bus.ts'

/** Milliseconds between the tries of one erasure. */
const pausesMs = [200, 1_000]

export interface UserDataDeps extends Pick<ExportContribution, 'service' | 'client' | 'newId'> {
  /** All that the service stores about a user. */
  readonly filesOf: (userId: string) => Iterable<ExportFile> | AsyncIterable<ExportFile>
  /** Removes all of it, and prevents that late data brings it back; may be repeated. */
  readonly erase: (userId: string) => Promise<void>
  readonly log: Logger
  /** Aborts when the service stops: another replica then starts over with an export. */
  readonly stopping?: AbortSignal
}

/** Contributes users' data to their exports, and erases it with their accounts. */
export const userDataSubscriptions = (deps: UserDataDeps): readonly Subscription[] => [
  exportingSubscription(deps),
  erasingSubscription(deps),
]

/** A group of its own, because it is slow. If it fails for good, auth requests the data again with a new event. */
const exportingSubscription = ({ service, client, newId, filesOf, stopping: signal }: UserDataDeps): Subscription => ({
  group: `${service}.data-exports`,
  handlers: {
    'auth.data-export-requested': ({ data: { userId, exportId } }) =>
      contributeToExport({ client, service, exportId, newId, ...(signal && { signal }) }, filesOf(userId)),
  },
})

/** Acknowledges erasures to auth. A failure is no dead letter, which would keep the user's id: auth asks again until it is acknowledged. */
const erasingSubscription = (deps: UserDataDeps): Subscription => ({
  group: `${deps.service}.erasures`,
  handlers: { 'auth.user-deleted': (event) => eraseOne(deps, event) },
})

async function eraseOne(deps: UserDataDeps, { data }: EventOf<'auth.user-deleted'>): Promise<void> {
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

async function acknowledge({ client, service }: UserDataDeps, erasureId: string): Promise<void> {
  try {
    await client.call(authInternalRoutes.acknowledgeErasure, { params: { id: erasureId }, body: { service } })
  } catch (error) {
    // Auth no longer knows an erasure that is complete.
    if (!isAppError(error) || error.code !== 'not_found') throw error
  }
}
