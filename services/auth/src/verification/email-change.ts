import { eventOf } from '@parley/bus'
import type { authRoutes } from '@parley/contracts'
import { AppError, type Call } from '@parley/kit'
import type { Caller } from '../caller.ts'
import { emailKey, normalEmail } from '../names.ts'
import type { AuthParts } from '../parts.ts'
import { checkPassword } from '../passwords/password-check.ts'
import { alreadyVerified, banned, nameTaken, sessionEnded, tooManyChanges, wrongPassword } from '../refusals.ts'
import { newPending } from '../sessions/browser-session.ts'
import { changesPerHour, type EmailChange } from '../store/verification/email-store.ts'
import { findClaimant, newVerification } from './verification.ts'

const windowSeconds = 3600
/** Changes within an hour that fail because the address is taken, which each of them reveals. */
const takenPerHour = 5

/** The password is required once an address of the account was confirmed. */
type EmailChangeRequest = Call<typeof authRoutes.updateEmail>['body']

/**
 * Moves an account to another address, which has to be confirmed. A confirmed address that is given up is told. Wrong passwords count as at a
 * sign-in, and taken addresses count too. Resolves to the cookies by which a signed-in owner may enter the code, also once signed out.
 * @throws AppError unauthenticated without a right to the account, whether or not it exists; forbidden for a wrong password;
 * conflict for the present address if it is confirmed; email_taken, cooldown, rate_limited, account_banned
 */
export async function changeEmail(parts: AuthParts, request: EmailChangeRequest, caller: Caller): Promise<string[]> {
  const claimant = await findClaimant(parts, caller, request.username)
  if (claimant === undefined) throw new AppError('unauthenticated', 'Please sign in to change your email address.')
  const { account } = claimant
  if (account.isBanned) throw banned()
  const proved = account.everVerified ? await requirePassword(parts, account.id, request.password, caller) : undefined
  const change = { ...newChange(parts, account.id, request.newEmail), proved }
  // Taken before the answer is known, so that many concurrent requests learn no more than one after the other.
  const failures = [{ key: `email-taken:${account.id}`, attempts: takenPerHour, windowSeconds }]
  const taken = await parts.stores.attempts.take(failures)
  if (taken.kind === 'exhausted') throw tooManyChanges(takenPerHour, taken.exhausted.retryAfterSeconds)
  const outcome = await parts.stores.emails.change(account.id, change)
  if (outcome === 'email_taken') parts.attemptMetrics.usedUp(taken.usedUp)
  else await parts.stores.attempts.giveBack(failures)
  if (outcome === 'gone') throw sessionEnded()
  if (outcome === 'unproved') throw wrongPassword()
  if (outcome === 'email_taken') throw nameTaken(outcome)
  if (outcome === 'same') throw alreadyVerified()
  if (outcome === 'too_often') throw tooManyChanges(changesPerHour, windowSeconds)
  if (outcome === 'changed') await parts.signalPrincipalChanged(account.id)
  return 'sessionId' in claimant ? await pendingCookies(parts, account.id) : []
}

async function pendingCookies(parts: AuthParts, userId: string): Promise<string[]> {
  const pending = newPending(parts)
  return (await parts.stores.verifications.allowPending(userId, pending.hash)) ? [pending.cookie] : []
}

function newChange(parts: AuthParts, userId: string, newEmail: string): Omit<EmailChange, 'proved'> {
  const id = parts.newId()
  const envelope = { id: parts.newId(), at: parts.now() }
  return {
    id,
    email: normalEmail(newEmail),
    emailKey: emailKey(newEmail),
    verification: newVerification(parts, userId),
    changed: eventOf('auth.email-changed', userId, { userId, emailChangeId: id }, envelope),
  }
}

/** Resolves to the hash of the password that was proved. */
async function requirePassword(
  parts: AuthParts,
  userId: string,
  password: string | undefined,
  caller: Caller,
): Promise<string | undefined> {
  if (password === undefined)
    throw new AppError('forbidden', 'Please enter your password to change your email address.')
  const found = await parts.stores.accounts.withPassword({ id: userId })
  const claim = { subject: userId, passwordHash: found?.passwordHash, password }
  if (!(await checkPassword(parts, claim, caller))) throw wrongPassword()
  return found?.passwordHash
}
