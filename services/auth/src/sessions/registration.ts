import { eventOf } from '@parley/bus'
import type { authRoutes } from '@parley/contracts'
import { acceptedLocale, type Call } from '@parley/kit'
import type { Caller } from '../caller.ts'
import { emailKey, normalEmail, usernameKey } from '../names.ts'
import type { AuthParts } from '../parts.ts'
import { nameTaken, registrationDisabled } from '../refusals.ts'
import type { NewAccount } from '../store/account-store.ts'
import { newVerification } from '../verification/verification.ts'
import { newPending, openSession, type SignedIn } from './browser-session.ts'
import type { AwaitingCode } from './sign-in.ts'

/** A visitor's choices. */
type Chosen = Call<typeof authRoutes.register>['body']

/** An account to be made, without a password. */
export function newAccount(
  { newId, now }: AuthParts,
  { username, email }: Pick<Chosen, 'username' | 'email'>,
): NewAccount {
  const id = newId()
  return {
    ...{ id, username, usernameKey: usernameKey(username) },
    ...{ email: normalEmail(email), emailKey: emailKey(email) },
    registered: eventOf('auth.user-registered', id, { userId: id }, { id: newId(), at: now() }),
  }
}

/**
 * Makes an account without any rights, and signs its browser in unless the address has to be confirmed first.
 * @throws AppError registration_disabled, username_taken, email_taken, validation_failed for a common password
 */
export async function register(parts: AuthParts, chosen: Chosen, caller: Caller): Promise<SignedIn | AwaitingCode> {
  const { settings } = await parts.stores.settings.read()
  // Decided again with the account; here it only avoids the hash.
  if (!settings.registration.local) throw registrationDisabled()
  parts.policy.accept(chosen.password, chosen, 'password')
  const account = newAccount(parts, chosen)
  const passwordHash = await parts.hasher.hash(chosen.password)
  const pending = newPending(parts)
  const outcome = await parts.stores.accounts.register({
    ...account,
    passwordHash,
    locale: acceptedLocale(caller.headers),
    verification: newVerification(parts, account.id),
    pendingHash: pending.hash,
  })
  if (outcome === 'registration_disabled') throw registrationDisabled()
  if (typeof outcome === 'string') throw nameTaken(outcome)
  if (outcome.verificationRequired) return { awaiting: outcome.account, cookies: [pending.cookie] }
  return await openSession(parts, account.id, caller, { passwordHash })
}
