import { AppError, limitReached } from '@parley/kit'
import type { TakenName } from './store/account-store.ts'
import type { ExhaustedBudget } from './store/sessions/attempt-store.ts'

/** Another account has the username or the address. */
export const nameTaken = (taken: TakenName): AppError =>
  new AppError(
    taken,
    taken === 'username_taken' ? 'This username is already taken.' : 'This email address is already in use.',
  )

/** The admin switched registration off. */
export const registrationDisabled = (): AppError =>
  new AppError('registration_disabled', 'Registration is currently disabled by the administrator.')

/** Name or password are wrong; the answer does not tell which. */
export const wrongCredentials = (): AppError =>
  new AppError('unauthenticated', 'Login failed. Please check your credentials and try again.')

/** The password that a change was to be confirmed with is wrong. */
export const wrongPassword = (): AppError => new AppError('forbidden', 'Incorrect password. Try again.')

/** A budget is exhausted. @param attempts its size @param retryAfterSeconds until it starts over */
export const tooManyAttempts = ({ attempts, retryAfterSeconds }: ExhaustedBudget): AppError =>
  limitReached('rate_limited', 'Too many attempts. Please try again later.', {
    limit: attempts,
    seconds: retryAfterSeconds,
  })

/** The address was changed too often. */
export const tooManyChanges = (limit: number, seconds: number): AppError =>
  limitReached('cooldown', 'You’ve tried several other email addresses. Please try again in an hour.', {
    limit,
    seconds,
  })

/** There is nothing to confirm. */
export const alreadyVerified = (): AppError => new AppError('conflict', 'This email address is already confirmed.')

/** Another code was mailed a moment ago, or too many were on this day. */
export const mailedAlready = (seconds: number): AppError =>
  limitReached('rate_limited', 'A code was sent less than a minute ago, or too many were sent today.', {
    limit: 1,
    seconds,
  })

/** A copy of the data was asked for within the cooldown. */
export const exportCooldown = (seconds: number): AppError =>
  limitReached('cooldown', `Your data can be requested again in ${inWords(seconds)}.`, { limit: 1, seconds })

/** The same data are on their way often enough. */
export const downloadedTwice = (limit: number): AppError =>
  limitReached('rate_limited', 'This file is already being downloaded. Please try again in a minute.', {
    limit,
    seconds: 60,
  })

/** Rounded up, so that a retry after it is not too early. */
const inWords = (seconds: number): string => {
  const [count, unit] =
    seconds <= 60
      ? [seconds, 'second']
      : seconds <= 3600
        ? [Math.ceil(seconds / 60), 'minute']
        : seconds <= 172_800
          ? [Math.ceil(seconds / 3600), 'hour']
          : [Math.ceil(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The mailed code is wrong, used, too old, or was tried too often. */
export const wrongCode = (): AppError => new AppError('validation_failed', 'Invalid or expired code')

/** The account is banned. */
export const banned = (): AppError =>
  new AppError('account_banned', 'Your account has been banned. Please contact support for assistance.')

/** There is no session to continue. @param headers such as one that clears the cookie */
export const sessionEnded = (headers: Record<string, string> = {}): AppError =>
  new AppError('unauthenticated', 'Your session has ended. Please sign in again.', { headers })

/** No provider for single sign-on is configured. */
export const noSingleSignOn = (): AppError => new AppError('not_found', 'Single sign-on isn’t available here.')

const refusedSignOn = (message: string): AppError => new AppError('validation_failed', message)

/** The browser came back without a code, such as after a refusal at the provider. */
export const missingCode = (): AppError => refusedSignOn('No authorization code received from authentication server.')

/** The browser came back without the state that it was sent with. */
export const missingState = (): AppError => refusedSignOn('Missing state parameter (required for security).')

/** No sign-on of this browser has this state any more. */
export const foreignState = (): AppError => refusedSignOn('Invalid state parameter, possible CSRF attack detected.')

/** The provider gave no usable address. */
export const noAddress = (): AppError =>
  refusedSignOn('Your sign-on provider didn’t share a valid email address, which you need for an account here.')

/** An account has the address: its owner must prove that they are the same person. @param headers such as a cookie */
export const linkFirst = (headers: Record<string, string>): AppError =>
  new AppError(
    'email_taken',
    'An account with this email address already exists. Enter its password to connect it to single sign-on.',
    { headers },
  )

/** No sign-on in this browser is waiting for a password. */
export const linkExpired = (): AppError => refusedSignOn('This has expired. Please start single sign-on again.')

/** A fault of ours, or an unexpected answer of the provider. */
export const unexpectedAtSignOn = (cause?: unknown): AppError =>
  new AppError('internal_error', 'An unexpected error occurred during authentication.', { cause })
