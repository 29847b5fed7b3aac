import { eventOf } from '@parley/bus'
import type { UserPrincipal } from '@parley/contracts'
import { AppError, validationFailed } from '@parley/kit'
import { noteBrowser } from './browser-session.ts'
import type { Caller } from './caller.ts'
import type { AuthParts } from './parts.ts'
import { checkPassword } from './password-check.ts'
import { sessionEnded } from './refusals.ts'
import type { NewPassword } from './store/password-store.ts'

/** A password to be set, hashed, with the event that has its owner told. */
export async function newPassword(
  { hasher, newId, now }: Pick<AuthParts, 'hasher' | 'newId' | 'now'>,
  userId: string,
  password: string,
): Promise<NewPassword> {
  const hash = await hasher.hash(password)
  return { hash, changed: eventOf('auth.password-changed', userId, { userId }, { id: newId(), at: now() }) }
}

/**
 * Sets another password and ends every other session of the user.
 * @returns `set-cookie` values: this browser stays known
 * @throws AppError forbidden for a wrong password or an account that has none, validation_failed for the same password
 * again or one that is easily guessed, rate_limited
 */
export async function changePassword(
  parts: AuthParts,
  asked: { readonly currentPassword: string; readonly newPassword: string },
  caller: Caller & { readonly principal: UserPrincipal },
): Promise<string[]> {
  const { userId, sessionId } = caller.principal
  const found = await parts.stores.accounts.withPassword({ id: userId })
  if (found === undefined) throw sessionEnded()
  const { account, passwordHash } = found
  if (passwordHash === undefined) throw noPassword()
  const claim = { subject: userId, passwordHash, password: asked.currentPassword }
  if (!(await checkPassword(parts, claim, caller))) throw wrongPassword()
  if (asked.newPassword === asked.currentPassword) throw samePassword()
  parts.policy.accept(asked.newPassword, account, 'newPassword')
  const password = await newPassword(parts, userId, asked.newPassword)
  const change = { ...password, proved: passwordHash, keptSessionId: sessionId }
  if (!(await parts.stores.passwords.change(userId, change))) throw wrongPassword()
  await parts.tellPrincipalChanged(userId)
  return [noteBrowser(parts, caller, { userId, passwordHash: password.hash })]
}

const wrongPassword = (): AppError => new AppError('forbidden', 'The password is not correct.')
const noPassword = (): AppError =>
  new AppError(
    'forbidden',
    'Your account has no password yet. Sign out and use "Forgot password" to set one by a link that we mail to you.',
  )
const samePassword = (): AppError =>
  validationFailed([{ path: 'newPassword', message: 'Please choose a password other than the present one.' }])
