import type { Caller } from '../caller.ts'
import { emailKey, usernameKey } from '../names.ts'
import type { AuthParts } from '../parts.ts'
import { checkPassword } from '../passwords/password-check.ts'
import { wrongCredentials } from '../refusals.ts'
import { hashToken } from '../secrets.ts'
import type { Account } from '../store/account.ts'
import type { Proof } from '../store/sessions/session-store.ts'
import { requestVerification } from '../verification/verification.ts'
import { newPending, openSession, type SignedIn } from './browser-session.ts'

/** Not signed in yet: the address must be confirmed first. */
export interface AwaitingCode {
  readonly awaiting: Account
  /** `set-cookie` values. */
  readonly cookies: string[]
}

/** A code this old has expired; a user who signs in after that needs another one. */
const newCodeAfterSeconds = 600

/**
 * Signs in by username or e-mail address. A banned user is signed in too, so that the app can tell them.
 * @throws AppError unauthenticated, rate_limited
 */
export async function signIn(
  parts: AuthParts,
  { identifier, password }: { identifier: string; password: string },
  caller: Caller,
): Promise<SignedIn | AwaitingCode> {
  const { stores } = parts
  const name = identifier.trim()
  // A username has no @, so no name is read both ways.
  const key = name.includes('@') ? { emailKey: emailKey(name) } : { usernameKey: usernameKey(name) }
  const found = await stores.accounts.withPassword(key)
  const subject = found?.account.id ?? hashToken(Object.values(key).join()).toString('hex')
  const right = await checkPassword(parts, { subject, passwordHash: found?.passwordHash, password }, caller)
  if (!right || found?.passwordHash === undefined) throw wrongCredentials()
  return await admit(parts, found.account, caller, { passwordHash: found.passwordHash })
}

/**
 * Signs in a user who has proved their identity, or asks for the code while their address is not confirmed.
 * @param proved the proof of identity
 * @throws AppError unauthenticated when that does not hold any more
 */
export async function admit(
  parts: AuthParts,
  account: Account,
  caller: Caller,
  proved: Proof,
): Promise<SignedIn | AwaitingCode> {
  const { settings } = await parts.stores.settings.read()
  if (account.emailVerified || !settings.emailVerificationRequired) {
    return await openSession(parts, account.id, caller, proved)
  }
  const pending = newPending(parts)
  if (!(await parts.stores.verifications.allowPending(account.id, pending.hash, proved))) throw wrongCredentials()
  await requestVerification(parts, account.id, newCodeAfterSeconds)
  return { awaiting: account, cookies: [pending.cookie] }
}
