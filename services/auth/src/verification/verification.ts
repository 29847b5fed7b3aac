import { randomInt } from 'node:crypto'
import { eventOf } from '@parley/bus'
import { AppError, notFound } from '@parley/kit'
import type { Caller } from '../caller.ts'
import { usernameKey } from '../names.ts'
import type { AuthParts } from '../parts.ts'
import { recipientOf } from '../present.ts'
import { banned, tooManyAttempts, wrongCode } from '../refusals.ts'
import { hashToken, type Keys, keyedHash } from '../secrets.ts'
import { openSession } from '../sessions/browser-session.ts'
import type { Account } from '../store/account.ts'
import type { VerificationRequest } from '../store/verification/verification-request.ts'
import { attemptsPerHour } from '../store/verification/verification-store.ts'

/** Between two codes that are asked for. */
export const resendSeconds = 60
const hourSeconds = 3600

/** A verification to be begun, with the event that gets its code mailed. */
export function newVerification({ newId, now }: AuthParts, userId: string): VerificationRequest {
  const id = newId()
  const data = { userId, verificationId: id }
  return { id, requested: eventOf('auth.verification-requested', userId, data, { id: newId(), at: now() }) }
}

/** Has a code mailed unless the last one was asked for within `minAgeSeconds`. */
export const requestVerification = (parts: AuthParts, userId: string, minAgeSeconds: number): Promise<boolean> =>
  parts.stores.verifications.request(userId, minAgeSeconds, newVerification(parts, userId))

/** An account, and the right to it: a session, or the hash of a pending cookie. */
type Claimant = { readonly account: Account } & ({ readonly sessionId: string } | { readonly pendingHash: Buffer })

/**
 * The claimant of an account whose address is not confirmed: the browser that registered or gave the right password,
 * by its pending cookie, and the signed-in owner. Undefined for anybody else, whether or not the name exists.
 */
export async function findClaimant(
  { cookies, stores }: AuthParts,
  { principal, headers }: Caller,
  username: string,
): Promise<Claimant | undefined> {
  const key = usernameKey(username)
  if (principal.kind === 'user') {
    const account = await stores.accounts.byId(principal.userId)
    if (account?.usernameKey === key) return { account, sessionId: principal.sessionId }
  }
  const token = cookies.pending.read(headers.cookie)
  if (token === undefined) return undefined
  const pendingHash = hashToken(token)
  const account = await stores.verifications.pendingUser(pendingHash)
  return account?.usernameKey === key ? { account, pendingHash } : undefined
}

/** Mails another code to a claimant, at most once a minute. Callers cannot tell the result. */
export async function resendCode(parts: AuthParts, username: string, caller: Caller): Promise<void> {
  const claimant = await findClaimant(parts, caller, username)
  if (claimant !== undefined) await requestVerification(parts, claimant.account.id, resendSeconds)
}

/**
 * Confirms a mailed code and signs the browser in; a user who is signed in already keeps the session.
 * @throws AppError unauthenticated without a claim, or when it ends meanwhile; validation_failed, rate_limited, account_banned
 */
export async function confirmCode(
  parts: AuthParts,
  { username, code }: { username: string; code: string },
  caller: Caller,
): Promise<{ token: string; account: Account; cookies: string[] }> {
  const claimant = await findClaimant(parts, caller, username)
  if (claimant === undefined) throw new AppError('unauthenticated', 'Please sign in first, then enter the code.')
  if (claimant.account.isBanned) throw banned()
  const userId = claimant.account.id
  const pendingHash = 'pendingHash' in claimant ? claimant.pendingHash : undefined
  const outcome = await parts.stores.verifications.enterCode(userId, (id) => hashesOf(parts, id, code), pendingHash)
  if (outcome === 'too_many_attempts') {
    parts.attemptMetrics.refused('code')
    throw tooManyAttempts({ attempts: attemptsPerHour, retryAfterSeconds: hourSeconds })
  }
  if (outcome === 'wrong') {
    parts.attemptMetrics.wrong('code', [])
    throw wrongCode()
  }
  await parts.signalPrincipalChanged(userId)
  if ('pendingHash' in claimant) {
    // Another password or a sign-out ends that cookie, also between the code and the session.
    return await openSession(parts, userId, caller, { pendingHash: claimant.pendingHash })
  }
  const token = await parts.tokens().sign(userId, claimant.sessionId)
  return { token, account: outcome.account, cookies: [parts.cookies.pending.clear()] }
}

/** Makes the code that a mail will carry; only its keyed hash is kept. @throws AppError not_found when the verification is over */
export async function issueCode(parts: AuthParts, verificationId: string) {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const issued = await parts.stores.verifications.issueCode(verificationId, hashesOf(parts, verificationId, code)[0])
  if (issued === undefined) throw notFound()
  return { code, ...recipientOf(issued.account), expiresAt: issued.expiresAt.toISOString() }
}

/** The stored form of a code, then those that former secrets made. */
function hashesOf({ keys }: AuthParts, verificationId: string, code: string): Keys {
  const [present, ...former] = keys.code
  const hash = (key: Buffer): Buffer => keyedHash(key, verificationId, code)
  return [hash(present), ...former.map(hash)]
}
