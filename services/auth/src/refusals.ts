import { AppError } from '@parley/kit'
import type { TakenName } from './store/account-store.ts'

/** Somebody else has the username or the address. */
export const nameTaken = (taken: TakenName): AppError =>
  new AppError(
    taken,
    taken === 'username_taken' ? 'This username is already taken.' : 'This e-mail address is already in use.',
  )

/** The admin switched registration off. */
export const registrationDisabled = (): AppError =>
  new AppError('registration_disabled', 'Registration is currently disabled by the administrator.')

/** Name or password are wrong; which of them is not told. */
export const wrongCredentials = (): AppError =>
  new AppError('unauthenticated', 'Login failed. Please check your credentials and try again.')

/** A budget of tries is spent. @param spent the tries it has, and the seconds until it starts anew */
export const tooManyTries = (spent: { readonly tries: number; readonly retryAfterSeconds: number }): AppError =>
  limited('rate_limited', 'Too many attempts. Please try again later.', spent.tries, spent.retryAfterSeconds)

/** The address was changed too often. */
export const tooManyChanges = (changes: number, retryAfterSeconds: number): AppError =>
  limited(
    'cooldown',
    'The e-mail address was changed several times. Please try again in an hour.',
    changes,
    retryAfterSeconds,
  )

/** The limit that refuses is the one its answer speaks of, not the gateway's. */
const limited = (code: 'rate_limited' | 'cooldown', message: string, limit: number, seconds: number): AppError =>
  new AppError(code, message, {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    },
  })

/** The mailed code is wrong, used, too old, or was tried too often. */
export const wrongCode = (): AppError => new AppError('validation_failed', 'Invalid or expired code')

/** The account is banned. */
export const banned = (): AppError =>
  new AppError('account_banned', 'Your account has been banned. Please contact support for assistance.')

/** There is no session to go on with. @param headers such as one that clears the cookie */
export const sessionEnded = (headers: Record<string, string> = {}): AppError =>
  new AppError('unauthenticated', 'Your session has ended. Please sign in again.', { headers })
