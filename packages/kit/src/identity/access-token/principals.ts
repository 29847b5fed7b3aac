import { authInternalRoutes, type Rights } from '@parley/contracts'
import { LRUCache } from 'lru-cache'
import { createFreshValue, type FreshValue } from '../../async/fresh.ts'
import type { ServiceClient } from '../../calls/service-client.ts'
import { isAppError, unavailable } from '../../errors/app-error.ts'
import type { Clock } from '../../ids.ts'
import type { TokenSubject } from './token-verifier.ts'

/** The status of a session and the rights of its user, as auth states them. */
export interface SessionStatus {
  /** The session is alive. */
  readonly active: boolean
  readonly rights: Rights
}

export type Principals = ReturnType<typeof createPrincipals>

const maxAgeMs = 30_000
const maxUsers = 50_000
/** The key for the rights of a user without a session; no session has this id. */
const ofKeys = ''

/** Rights of users, asked of auth and kept for at most 30 s. Concurrent callers of the same session share one question. */
export function createPrincipals(client: ServiceClient, now: Clock) {
  /** Keyed by session, so that all sessions of a user are dropped at once. */
  const users = new LRUCache<string, Map<string, FreshValue<SessionStatus>>>({ max: maxUsers })
  const ask = async ({ userId, sessionId }: TokenSubject): Promise<SessionStatus> => {
    try {
      return await client.call(authInternalRoutes.principal, { params: { userId, sessionId } })
    } catch (error) {
      if (isAppError(error, 'not_found') || isAppError(error, 'validation_failed')) return noSession
      throw isAppError(error) ? error : unavailable(error)
    }
  }
  const askRights = async (id: string): Promise<SessionStatus> => {
    try {
      return { active: true, rights: (await client.call(authInternalRoutes.rights, { params: { id } })).rights }
    } catch (error) {
      if (isAppError(error, 'not_found')) return noSession
      throw error
    }
  }
  const kept = (userId: string, sessionId: string): FreshValue<SessionStatus> => {
    const sessions = users.get(userId) ?? new Map<string, FreshValue<SessionStatus>>()
    users.set(userId, sessions)
    const status = sessions.get(sessionId) ?? createFreshValue<SessionStatus>({ maxAgeMs, now })
    sessions.set(sessionId, status)
    return status
  }
  return {
    /** @throws AppError unavailable when auth cannot be asked and nothing recent is known */
    sessionStatus: (subject: TokenSubject) => kept(subject.userId, subject.sessionId).get(() => ask(subject)),
    /** Of a user whose API key calls; undefined when there is no such user. @throws AppError as `sessionStatus` */
    async rights(userId: string): Promise<Rights | undefined> {
      const { active, rights } = await kept(userId, ofKeys).get(() => askRights(userId))
      return active ? rights : undefined
    },
    /** The same at once; undefined also while it is not known. */
    peekRights(userId: string): Rights | undefined {
      const status = users.get(userId)?.get(ofKeys)?.peek()
      return status?.active ? status.rights : undefined
    },
    /** Forgets a user, to be called when something about them changed. */
    drop: (userId: string) => void users.delete(userId),
    /** Forgets everybody. */
    clear: () => users.clear(),
  }
}

const noSession: SessionStatus = {
  active: false,
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: false },
}
