import type { Principal } from '@parley/contracts'
import { actingUser } from '../identity/access.ts'
import type { Clock, NewId } from '../ids.ts'

/** The acting admin and the request, for the audit log. */
export interface AdminAct {
  readonly actorId: string
  readonly requestId: string
  /** Id of the event that reports it. */
  readonly eventId: string
  readonly at: Date
  /** The entry of the audit log that it takes back. */
  readonly undoes?: string
}

/** An act that takes back another one. */
export interface UndoingAct extends AdminAct {
  readonly undoes: string
  /** That was undone before: it is refused, with the present state. */
  readonly undone?: boolean | undefined
}

/** The act of the admin behind a call. @throws AppError unauthenticated for a service, which acts for no user */
export function adminActOf(
  { principal, requestId }: { readonly principal: Principal; readonly requestId: string },
  { newId, now }: { newId: NewId; now: Clock },
): AdminAct {
  return { actorId: actingUser(principal).userId, requestId, eventId: newId(), at: now() }
}
