import { newPending, openSession, type SignedIn } from './browser-session.ts'
import type { Caller } from './caller.ts'
import { emailKey, usernameKey } from './names.ts'
import type { AuthParts } from './parts.ts'
import { checkPassword } from './password-check.ts'
import { wrongCredentials } from './refusals.ts'
import { hashToken } from './secrets.ts'
import type { Account } from './store/account.ts'
import { requestVerification } from './verification.ts'

/** Not signed in yet: the address has to be confirmed first. */
export interface AwaitingCode {
  readonly awaiting: Account
  /** `set-cookie` values. */
  readonly cookies: string[]
}

/** A code this old has expired; somebody who signs in after that needs another one. */
const newCodeAfterSeconds = 600

/**
 * Signs in by username or e-mail. A banned user is signed in too, to be told so.
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
  if (!right || found === undefined) throw wrongCredentials()
  const { settings } = await stores.settings.read()
  if (found.account.emailVerified || !settings.emailVerificationRequired) {
    return await openSession(parts, found.account.id, caller)
  }
  const pending = newPending(parts)
  await stores.verifications.allowPending(found.account.id, pending.hash)
  await requestVerification(parts, found.account.id, newCodeAfterSeconds)
  return { awaiting: found.account, cookies: [pending.cookie] }
}
