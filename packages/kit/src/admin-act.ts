import type { Principal } from '@parley/contracts'
import { actingUser } from './access.ts'
import type { Clock, NewId } from './ids.ts'

/** Who does something as an admin and in which request, as the audit log will tell it. */
export interface AdminAct {
  readonly actorId: string
  readonly requestId: string
  /** Of the event that tells of it. */
  readonly eventId: string
  readonly at: Date
}

/** The act of the admin behind a call. @throws AppError unauthenticated for a service, which acts for nobody */
export function adminActOf(principal: Principal, { newId, now }: { newId: NewId; now: Clock }): AdminAct {
  const { userId, requestId } = actingUser(principal)
  return { actorId: userId, requestId, eventId: newId(), at: now() }
}
