import { authInternalRoutes, type Rights } from '@parley/contracts'
import { LRUCache } from 'lru-cache'
import { isAppError, unavailable } from '../app-error.ts'
import { createFreshValue, type FreshValue } from '../fresh.ts'
import type { Clock } from '../ids.ts'
import type { ServiceClient } from '../service-client.ts'
import type { TokenSubject } from './token-verifier.ts'

/** What auth says of a user in a session. */
export interface Standing {
  /** The session is alive. */
  readonly active: boolean
  readonly rights: Rights
}

/** Rights of users, asked of auth and kept for at most 30 s. */
export interface Principals {
  /** @throws AppError unavailable when auth cannot be asked and nothing recent is known */
  standing(subject: TokenSubject): Promise<Standing>
  /** Forgets a user, to be called when something about them changed. */
  drop(userId: string): void
  /** Forgets everybody. */
  clear(): void
}

const maxAgeMs = 30_000
const maxUsers = 50_000

/** Concurrent callers of the same session share one question. */
export function createPrincipals(client: ServiceClient, now: Clock): Principals {
  /** By session, so that all of a user's are dropped at once. */
  const users = new LRUCache<string, Map<string, FreshValue<Standing>>>({ max: maxUsers })
  const ask = async ({ userId, sessionId }: TokenSubject): Promise<Standing> => {
    try {
      return await client.call(authInternalRoutes.principal, { params: { userId, sessionId } })
    } catch (error) {
      if (isAppError(error, 'not_found') || isAppError(error, 'validation_failed')) return nobody
      throw isAppError(error) ? error : unavailable(error)
    }
  }
  return {
    standing(subject) {
      const { userId, sessionId } = subject
      const sessions = users.get(userId) ?? new Map<string, FreshValue<Standing>>()
      users.set(userId, sessions)
      const standing = sessions.get(sessionId) ?? createFreshValue<Standing>({ maxAgeMs, now })
      sessions.set(sessionId, standing)
      return standing.get(() => ask(subject))
    },
    drop: (userId) => void users.delete(userId),
    clear: () => users.clear(),
  }
}

const nobody: Standing = {
  active: false,
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: false },
}
