import { eventOf } from '@parley/bus'
import { erasingServices } from '@parley/contracts'
import { AppError, actingUser } from '@parley/kit'
import type { Caller } from '../caller.ts'
import type { AuthParts } from '../parts.ts'
import { checkPassword } from '../passwords/password-check.ts'
import { sessionEnded } from '../refusals.ts'

/** A user without a password confirms the deletion by a sign-in that is not older than this. */
const freshSeconds = 600

/**
 * Deletes the caller's account. Its name and address are free at once, every session ends, and all services erase what they store.
 * @returns cookies to clear
 * @throws AppError forbidden without the right password or a sign-in of the last ten minutes, rate_limited, conflict for the only super admin
 */
export async function deleteAccount(
  parts: AuthParts,
  password: string | undefined,
  caller: Caller & { readonly requestId: string },
): Promise<string[]> {
  const { userId, sessionId } = actingUser(caller.principal)
  const found = await parts.stores.accounts.withPassword({ id: userId })
  if (found === undefined) throw sessionEnded()
  if (found.passwordHash !== undefined) await proveByPassword(parts, { userId, ...found, password }, caller)
  else if (!(await parts.stores.erasures.isFresh(userId, sessionId, freshSeconds))) {
    throw new AppError('forbidden', 'Please sign in again, then delete your account within ten minutes.')
  }
  const { newId, cookies } = parts
  const id = newId()
  const outcome = await parts.stores.erasures.begin({
    id,
    userId,
    proved: found.passwordHash,
    services: erasingServices,
    entry: { id: newId(), actorId: userId, action: 'user.deleted', target: userId, requestId: caller.requestId },
    deleted: userDeleted(parts, { id, userId }),
  })
  // Another password ended this session, too.
  if (outcome === 'unknown' || outcome === 'unproved') throw sessionEnded()
  if (outcome === 'last_super_admin') {
    throw new AppError('conflict', 'The only super administrator can’t be deleted.')
  }
  parts.log.info({ erasureId: id }, 'an account was deleted')
  await parts.signalPrincipalChanged(userId)
  return [cookies.refresh.clear(), cookies.pending.clear(), cookies.browser.clear()]
}

/** The event that has services erase a user. */
export const userDeleted = (
  { newId, now }: Pick<AuthParts, 'newId' | 'now'>,
  { id, userId }: { readonly id: string; readonly userId: string },
) => eventOf('auth.user-deleted', userId, { userId, erasureId: id }, { id: newId(), at: now() })

async function proveByPassword(
  parts: AuthParts,
  claim: { userId: string; passwordHash: string | undefined; password: string | undefined },
  caller: Caller,
): Promise<void> {
  const { userId, passwordHash, password } = claim
  if (password === undefined) throw new AppError('forbidden', 'Please enter your password to delete your account.')
  const isRight = await checkPassword(parts, { subject: userId, passwordHash, password }, caller)
  if (!isRight) throw new AppError('forbidden', 'Incorrect password. Try again.')
}
