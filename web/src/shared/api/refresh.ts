import type { User } from '@parley/contracts'
import { adoptStoredSession, endSession, endViewing, getSession, markBanned, signIn } from '../session/index.ts'
import { readApiError } from './error.ts'
import { apiOrigin } from './origin.ts'

let running: Promise<boolean> | null = null

/**
 * Replaces an expired access token once, however many calls and tabs ask for it. Answers whether a call may be repeated.
 * A refused refresh signs out; an unreachable server does not. A view as another user ends instead: the cookie is the admin's.
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

// Without the lock two tabs would present the same refresh cookie, which looks like theft to the server.
const exclusively = (work: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? navigator.locks.request('parley-refresh', work) : work()

async function refreshUnlessDone(expired: string): Promise<boolean> {
  const caller = getSession().user?._id
  // Storage is asked too: its change event may not have reached this tab yet.
  const current = adoptStoredSession()
  // A call of one person must not be repeated as another, who signed in in another tab meanwhile.
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
