import { eventOf } from '@parley/bus'
import type { UserPrincipal } from '@parley/contracts'
import type { AuthParts } from '../parts.ts'
import type { Account } from '../store/account.ts'
import type { UserDecision } from '../store/administration/user-admin-store.ts'
import { ensureMayBan, ensureMayChangeAdmin } from './policies.ts'

/** An admin in a request. */
export type ActingAdmin = Pick<UserPrincipal, 'userId' | 'rights'> & { readonly requestId: string }

/** Decides whether an admin may ban or unban a user, or grant or revoke admin rights. @throws AppError forbidden */
export function decideUser(
  { newId, now }: Pick<AuthParts, 'newId' | 'now'>,
  actor: ActingAdmin,
  target: Account,
  change: UserDecision['change'],
): UserDecision {
  const { userId: actorId, requestId } = actor
  const entry = { id: newId(), actorId, target: target.id, requestId, reversible: true }
  if ('isAdmin' in change) {
    ensureMayChangeAdmin(actor, target)
    const action = change.isAdmin ? 'user.admin-granted' : 'user.admin-removed'
    return { change, entry: { ...entry, action }, events: [] }
  }
  ensureMayBan(actor, target)
  const envelope = { id: newId(), at: now() }
  const happened = change.banned ? 'auth.user-banned' : 'auth.user-unbanned'
  return {
    change,
    entry: { ...entry, action: change.banned ? 'user.banned' : 'user.unbanned' },
    events: [eventOf(happened, target.id, { userId: target.id }, envelope)],
  }
}
