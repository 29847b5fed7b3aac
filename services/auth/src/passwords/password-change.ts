import { type EventBus, eventOf } from '@parley/bus'
import type { authRoutes, UserPrincipal } from '@parley/contracts'
import { AppError, type Call, validationFailed } from '@parley/kit'
import type { Caller } from '../caller.ts'
import type { AuthParts } from '../parts.ts'
import { sessionEnded, wrongPassword } from '../refusals.ts'
import { trustDevice } from '../sessions/browser-session.ts'
import type { NewPassword } from '../store/passwords/password-store.ts'
import { checkPassword } from './password-check.ts'

/** A new password, hashed, with the event that notifies its owner. */
export async function newPassword(
  { hasher, newId, now }: Pick<AuthParts, 'hasher' | 'newId' | 'now'>,
  userId: string,
  password: string,
): Promise<NewPassword> {
  const hash = await hasher.hash(password)
  return { hash, changed: eventOf('auth.password-changed', userId, { userId }, { id: newId(), at: now() }) }
}

/**
 * Where auth's events are published, which signals each new password to every replica: an operator's command sets one with nothing but the store, in
 * a process of its own, so that its event is all that a running service hears of it.
 */
export const signallingPasswords = (
  bus: Pick<EventBus, 'publish'>,
  { signalPrincipalChanged }: Pick<AuthParts, 'signalPrincipalChanged'>,
): Pick<EventBus, 'publish'> => ({
  async publish(events) {
    await bus.publish(events)
    for (const { type, data } of events) if (type === 'auth.password-changed') await signalPrincipalChanged(data.userId)
  },
})

/**
 * Sets another password and ends every other session of the user.
 * @returns `set-cookie` values: this browser stays a trusted device
 * @throws AppError forbidden for a wrong password or an account that has none, validation_failed for the same password
 * again or one that is easily guessed, rate_limited
 */
export async function changePassword(
  parts: AuthParts,
  request: Call<typeof authRoutes.changePassword>['body'],
  caller: Caller & { readonly principal: UserPrincipal },
): Promise<string[]> {
  const { userId, sessionId } = caller.principal
  const found = await parts.stores.accounts.withPassword({ id: userId })
  if (found === undefined) throw sessionEnded()
  const { account, passwordHash } = found
  if (passwordHash === undefined) throw noPassword()
  const claim = { subject: userId, passwordHash, password: request.currentPassword }
  if (!(await checkPassword(parts, claim, caller))) throw wrongPassword()
  if (request.newPassword === request.currentPassword) throw samePassword()
  parts.policy.accept(request.newPassword, account, 'newPassword')
  const password = await newPassword(parts, userId, request.newPassword)
  const change = { ...password, proved: passwordHash, keptSessionId: sessionId }
  if (!(await parts.stores.passwords.change(userId, change))) throw wrongPassword()
  await parts.signalPrincipalChanged(userId)
  return [trustDevice(parts, caller, { userId, passwordHash: password.hash })]
}

const noPassword = (): AppError =>
  new AppError('forbidden', 'Your account has no password yet. To set one, sign out and choose “Forgot password?”.')
const samePassword = (): AppError =>
  validationFailed([
    { path: 'newPassword', message: 'Please choose a password that’s different from your current one.' },
  ])
