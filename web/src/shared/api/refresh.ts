import type { User } from '@parley/contracts'
import { adoptStoredSession, endSession, endViewing, getSession, markBanned, signIn } from '../session/index.ts'
import { readApiError } from './error.ts'
import { apiOrigin } from './origin.ts'

let running: Promise<boolean> | null = null

/**
 * Replaces an expired access token, once for concurrent calls and tabs. Resolves to whether the call may be retried.
 * A refused refresh signs out; an unreachable server does not. A view as another user ends instead, because the cookie is the admin's.
 */
export function refreshToken(expired: string): Promise<boolean> {
  if (getSession().viewing) {
    endViewing()
    return Promise.resolve(false)
  }
  running ??= exclusively(() => refreshUnlessDone(expired)).finally(() => {
    running = null
  })
  return running
}

// Without the lock two tabs would present the same refresh cookie, which the server takes for theft.
const exclusively = (work: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? navigator.locks.request('parley-refresh', work) : work()

async function refreshUnlessDone(expired: string): Promise<boolean> {
  const caller = getSession().user?._id
  // Reads storage as well, because its change event may not have reached this tab yet.
  const current = adoptStoredSession()
  // A call must not be retried as another user who has meanwhile signed in in another tab.
  if (current.token !== expired) return current.token !== null && current.user?._id === caller
  const response = await fetch(`${await apiOrigin()}/api/auth/refresh`, {
    method: 'POST',
    credentials: 'include',
    signal: AbortSignal.timeout(15_000),
  })
  if (response.ok) {
    const { token, user } = (await response.json()) as { token: string; user: User }
    if (getSession().token !== null) signIn(token, user)
    return true
  }
  const error = await readApiError(response)
  if (error.code === 'account_banned') markBanned()
  else if (error.status === 401 || error.status === 403) endSession()
  return false
}
