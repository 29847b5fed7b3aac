import type { Counter, CountResult, Limit } from '@parley/cache'
import { sharePasswordHeader } from '@parley/contracts'
import {
  AppError,
  limitReached,
  networkBuckets,
  type PasswordHasher,
  validationFailed,
  wholeSeconds,
} from '@parley/kit'
import type { ShareLink } from './store/documents.ts'

/** Wrong passwords per link and network. */
const wrongTries: Limit = { points: 10, windowMs: 60_000 }

/** Checks the passwords of links, and limits guessing. */
export interface PasswordGuard {
  /** The hash of a new password. */
  hash(password: string): Promise<string>
  /**
   * Passes with the right password, or if the link has none.
   * @param header the raw header
   * @throws AppError password_required for a missing or wrong password, rate_limited after too many wrong ones, validation_failed if not encoded
   */
  check(link: Pick<ShareLink, 'shareId' | 'passwordHash'>, header: unknown, network: string): Promise<void>
}

export function createPasswordGuard(hasher: PasswordHasher, counter: Counter): PasswordGuard {
  return {
    hash: (password) => hasher.hash(password.normalize('NFC')),
    async check({ shareId, passwordHash }, header, network) {
      if (passwordHash === null) return
      const password = readPassword(header)
      if (password === undefined) throw passwordRequired('This chat is protected by a password.')
      const takes = networkBuckets(network).map((bucket) => ({
        key: `password:${shareId}:${bucket.network}`,
        limit: { ...wrongTries, points: wrongTries.points * bucket.times },
        cost: 1,
      }))
      const right = await hasher.check(passwordHash, password, {
        // Counted before the check, so that concurrent attempts cannot exceed the limit; refunded if right.
        async before() {
          const { allowed, results } = await counter.consumeAll(takes)
          if (!allowed) throw tooManyTries(results.filter((result) => !result.allowed))
        },
        async after(isRight) {
          if (isRight) await Promise.all(takes.map(({ key, limit }) => counter.adjust(key, limit, -1)))
        },
      })
      if (!right) throw passwordRequired('Incorrect password. Try again.')
    },
  }
}

/** @throws AppError validation_failed */
function readPassword(header: unknown): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  try {
    return decodeURIComponent(header).normalize('NFC')
  } catch {
    throw validationFailed([{ path: sharePasswordHeader, message: 'The password must be percent-encoded' }])
  }
}

const passwordRequired = (message: string): AppError => new AppError('password_required', message)

/** The refusal for the limit that resets last. @param refusing at least one */
function tooManyTries(refusing: readonly CountResult[]): AppError {
  const { limit, resetMs } = refusing.reduce((one, other) => (other.resetMs > one.resetMs ? other : one))
  const seconds = wholeSeconds(resetMs)
  return limitReached('rate_limited', `Too many wrong passwords. Please try again in ${seconds} s.`, { limit, seconds })
}
