import type { EventOf } from '@parley/contracts'
import type { AdminAct } from '@parley/kit'
import { eventOf } from './event-of.ts'

type AdminActed = 'billing.admin-acted' | 'llm-router.admin-acted'

/** An admin's change; `before` and `after` are null where nothing existed or exists. */
export type AdminChange = Omit<EventOf<AdminActed>['data'], 'actorId' | 'requestId' | 'undoes'>

/** The event that puts an admin's change into the audit log, to be written together with the change. */
export const adminActed = <T extends AdminActed>(type: T, act: AdminAct, change: AdminChange): EventOf<T> =>
  eventOf(
    type,
    change.target ?? act.actorId,
    { ...change, actorId: act.actorId, requestId: act.requestId, undoes: act.undoes } as EventOf<T>['data'],
    { id: act.eventId, at: act.at },
  )
