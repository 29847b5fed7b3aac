import type { Principal } from '@parley/contracts'
import { actingUser } from '@parley/kit'
import type { GuestSessions } from './guests/guest-session.ts'

/** A signed-in user as chat sees them. */
export interface UserCaller {
  readonly kind: 'user'
  /** The owner of everything this caller writes. */
  readonly ownerId: string
  /** May use disabled models and is not charged; false while viewing as a user. */
  readonly admin: boolean
}

/** A guest, identified by the session id they sent or by a new one. */
export interface GuestCaller {
  readonly kind: 'guest'
  readonly ownerId: string
  readonly sessionId: string
  /** The signed session id, for the answer. */
  readonly token: string
  readonly network: string
}

/** A caller who may send messages: a signed-in user or a guest. */
export type Caller = UserCaller | GuestCaller

/** A caller, and the request for which other services are called. */
export type Requesting<C extends Caller = Caller> = C & { readonly requestId: string }

/** The signed-in user. @throws AppError unauthenticated for anybody else */
export function userOf(principal: Principal): UserCaller {
  const { userId, rights, viewAs } = actingUser(principal)
  return { kind: 'user', ownerId: userId, admin: rights.isAdmin && viewAs !== true }
}

/** The signed-in user or the guest; a guest without a valid session id gets a new one. */
export function callerOf(principal: Principal, guestHeader: unknown, sessions: GuestSessions): Caller {
  if (principal.kind !== 'guest') return userOf(principal)
  const { id, token } = sessions.read(guestHeader) ?? sessions.issue()
  return { kind: 'guest', ownerId: guestOwner(id), sessionId: id, token, network: principal.network }
}

/** Owner id of a guest's answers; never a user's id, as these have no colon. */
const guestOwner = (sessionId: string): string => `guest:${sessionId}`

/** True for an owner id made by `guestOwner`. */
export const isGuestOwner = (ownerId: string): boolean => ownerId.startsWith('guest:')
