import { authInternalRoutes, type Rights } from '@parley/contracts'
import { isAppError, unavailable } from '../app-error.ts'
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

/** By session. A dropped user's map is let go whole, and with it the answers that were under way then. */
type Kept = Map<string, { readonly standing: Promise<Standing>; readonly until: number }>

/** Concurrent callers of the same session share one question. */
export function createPrincipals(client: ServiceClient, now: Clock): Principals {
  const users = new Map<string, Kept>()
  const ask = async ({ userId, sessionId }: TokenSubject): Promise<Standing> => {
    try {
      return await client.call(authInternalRoutes.principal, { params: { userId, sessionId } })
    } catch (error) {
      if (isAppError(error, 'not_found') || isAppError(error, 'validation_failed')) return nobody
      throw isAppError(error) ? error : unavailable(error)
    }
  }
  return {
    async standing(subject) {
      const user = users.get(subject.userId) ?? (new Map() as Kept)
      const kept = user.get(subject.sessionId)
      if (kept !== undefined && kept.until > now().getTime()) return kept.standing
      if (!users.has(subject.userId)) evictOldest(users)
      users.set(subject.userId, user)
      const standing = ask(subject)
      user.set(subject.sessionId, { standing, until: now().getTime() + maxAgeMs })
      // A failure is not kept: the next caller asks again.
      standing.catch(() => user.delete(subject.sessionId))
      return standing
    },
    drop: (userId) => void users.delete(userId),
    clear: () => users.clear(),
  }
}

const nobody: Standing = {
  active: false,
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: false },
}

function evictOldest(users: Map<string, Kept>): void {
  const oldest = users.size >= maxUsers ? users.keys().next().value : undefined
  if (oldest !== undefined) users.delete(oldest)
}
