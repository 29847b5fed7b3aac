import type { User } from '@parley/contracts'
import { adoptStoredSession, endSession, endViewing, getSession, markBanned, signIn } from '../session/index.ts'
import { ApiError, readApiError } from './error.ts'
import { apiOrigin } from './origin.ts'

let running: Promise<boolean> | null = null

/**
 * Replaces an expired access token, once for concurrent calls and tabs. Resolves to whether the call may be retried: never as another user or a guest.
 * A refused refresh signs out; an unreachable server does not. A view as another user ends instead, because the cookie is the admin's.
 * @param caller id of the user whose token the call was made with
 */
export async function refreshToken(expired: string, caller: string | undefined): Promise<boolean> {
  if (getSession().viewing) {
    endViewing()
    return false
  }
  running ??= exclusively(() => refreshUnlessDone(expired)).finally(() => {
    running = null
  })
  return (await running) && getSession().user?._id === caller
}

// Without the lock two tabs would present the same refresh cookie, which the server takes for theft.
const exclusively = (work: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? navigator.locks.request('parley-refresh', work) : work()

async function refreshUnlessDone(expired: string): Promise<boolean> {
  if (isReplaced(expired)) return true
  const response = await fetch(`${await apiOrigin()}/api/auth/refresh`, {
    method: 'POST',
    credentials: 'include',
    signal: AbortSignal.timeout(15_000),
  })
  const answer = response.ok ? ((await response.json()) as { token: string; user: User }) : await readApiError(response)
  // The user may have signed out meanwhile, and another one may have signed in, here or in another tab.
  if (isReplaced(expired)) return true
  if (!(answer instanceof ApiError)) {
    signIn(answer.token, answer.user)
    return true
  }
  if (answer.code === 'account_banned') markBanned()
  else if (answer.status === 401 || answer.status === 403) endSession()
  return false
}

/** Whether the session has another token by now, or none. Reads storage as well, because its change event may not have reached this tab yet. */
const isReplaced = (expired: string): boolean => adoptStoredSession().token !== expired
