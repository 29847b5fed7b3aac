import { eventOf } from '@parley/bus'
import { acceptedLocale } from '@parley/kit'
import type { Caller } from '../caller.ts'
import { emailKey, normalEmail, usernameKey } from '../names.ts'
import type { AuthParts } from '../parts.ts'
import { nameTaken, registrationDisabled } from '../refusals.ts'
import type { NewAccount } from '../store/account-store.ts'
import { newVerification } from '../verification/verification.ts'
import { newPending, openSession, type SignedIn } from './browser-session.ts'
import type { AwaitingCode } from './sign-in.ts'

/** A visitor's choices. */
export interface Chosen {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** An account to be made from what was chosen; hashes the password. */
export async function newAccount(
  { hasher, newId, now }: AuthParts,
  chosen: Chosen,
): Promise<NewAccount & { readonly passwordHash: string }> {
  const id = newId()
  return {
    id,
    username: chosen.username,
    usernameKey: usernameKey(chosen.username),
    email: normalEmail(chosen.email),
    emailKey: emailKey(chosen.email),
    passwordHash: await hasher.hash(chosen.password),
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
  const account = await newAccount(parts, chosen)
  const pending = newPending(parts)
  const outcome = await parts.stores.accounts.register({
    ...account,
    locale: acceptedLocale(caller.headers),
    verification: newVerification(parts, account.id),
    pendingHash: pending.hash,
  })
  if (outcome === 'registration_disabled') throw registrationDisabled()
  if (typeof outcome === 'string') throw nameTaken(outcome)
  if (outcome.verificationRequired) return { awaiting: outcome.account, cookies: [pending.cookie] }
  return await openSession(parts, account.id, caller, { passwordHash: account.passwordHash })
}
