import type { Caller } from '../caller.ts'
import { userAgentOf } from '../caller.ts'
import { networkBudgets } from '../network-budgets.ts'
import type { AuthParts } from '../parts.ts'
import { banned, sessionEnded, tooManyAttempts, wrongCredentials } from '../refusals.ts'
import { hashToken, keyedHash, randomToken } from '../secrets.ts'
import type { Account } from '../store/account.ts'
import type { Proof } from '../store/sessions/session-store.ts'
import { pendingSeconds } from '../store/verification/pending.ts'
import { type DeviceOwner, readTrustedDevice, trustedDevice } from './cookies.ts'

/** The tokens and cookies of a signed-in browser. */
export interface SignedIn {
  readonly token: string
  readonly account: Account
  /** `set-cookie` values. */
  readonly cookies: string[]
}

const yearSeconds = 365 * 86_400
/**
 * Refreshes in ten minutes, whatever comes of them. A browser needs one for all its tabs, so this leaves room for thousands of people behind one
 * address. Each refresh of a session adds a token, which is kept until a week after the session's end.
 */
const mostRefreshes = { session: 120, network: 3_000 }
const refreshWindowSeconds = 600
/**
 * A tab is at most so many refreshes behind. Each of them costs a transaction, and a client that refreshes without pause could have
 * thousands of them looked up by one request with its oldest token.
 */
const mostOvertaken = 20
/** A token that was overtaken more often is over after this long. */
const overtakenSeconds = 10

/**
 * Signs a browser in: a session, its refresh cookie and an access token. The caller has proved who they are.
 * @param proved the proof of identity
 * @throws AppError unauthenticated when it does not hold any more, or the user is gone
 */
export async function openSession(parts: AuthParts, userId: string, caller: Caller, proved: Proof): Promise<SignedIn> {
  const { cookies, newId, stores } = parts
  const refreshToken = randomToken()
  const id = newId()
  const opened = await stores.sessions.open({
    id,
    userId,
    refreshHash: hashToken(refreshToken),
    userAgent: userAgentOf(caller),
    network: caller.principal.network,
    proved,
  })
  if (opened === undefined) throw wrongCredentials()
  const { account, passwordHash, secondsLeft } = opened
  return {
    token: await parts.tokens().sign(userId, id),
    account,
    cookies: [
      cookies.refresh.set(refreshToken, secondsLeft),
      trustDevice(parts, caller, { userId, passwordHash }),
      cookies.pending.clear(),
    ],
  }
}

/**
 * A new access token for a refresh cookie, which rotates. The successor is derived from the token, so that two tabs which
 * refresh at once get the same one, and a tab that was overtaken gets the newest.
 * @throws AppError unauthenticated, with the session ended when the token was rotated before; account_banned; rate_limited
 */
export async function refreshSession(parts: AuthParts, { headers, principal }: Caller): Promise<SignedIn> {
  const { cookies, keys, stores } = parts
  const token = cookies.refresh.read(headers.cookie)
  if (token === undefined) throw sessionEnded()
  await takeRefresh(parts, token, principal.network)
  const successorOf = (rotated: string): string => keyedHash(keys.refresh[0], rotated).toString('base64url')
  let successor = successorOf(token)
  let rotation = await stores.sessions.rotate(hashToken(token), hashToken(successor))
  for (let times = 1; rotation.kind === 'overtaken'; times += 1) {
    if (times > mostOvertaken) throw tooManyAttempts({ attempts: mostOvertaken, retryAfterSeconds: overtakenSeconds })
    const overtaken = successor
    successor = successorOf(overtaken)
    rotation = await stores.sessions.rotate(hashToken(overtaken), hashToken(successor))
  }
  if (rotation.kind === 'banned') throw banned()
  if (rotation.kind === 'rotated') {
    const { account, sessionId, secondsLeft } = rotation
    return {
      token: await parts.tokens().sign(account.id, sessionId),
      account,
      cookies: [cookies.refresh.set(successor, secondsLeft)],
    }
  }
  if (rotation.kind === 'reused') await parts.signalPrincipalChanged(rotation.userId)
  throw sessionEnded({ 'set-cookie': cookies.refresh.clear() })
}

/** @throws AppError rate_limited when the token's session or the network has no refresh left; nothing is rotated then */
async function takeRefresh({ stores, attemptMetrics }: AuthParts, token: string, network: string): Promise<void> {
  const sessionId = await stores.sessions.idByToken(hashToken(token))
  const windowSeconds = refreshWindowSeconds
  const taken = await stores.attempts.take([
    ...(sessionId === undefined
      ? []
      : [{ key: `refresh:${sessionId}`, attempts: mostRefreshes.session, windowSeconds }]),
    ...networkBudgets('refresh-network', network, { attempts: mostRefreshes.network, windowSeconds }),
  ])
  if (taken.kind === 'exhausted') throw tooManyAttempts(taken.exhausted)
  attemptMetrics.usedUp(taken.usedUp)
}

/** Ends the session of the refresh cookie and that of the access token; either may be missing or expired. Resolves to the cookies to clear. */
export async function endBrowserSession(parts: AuthParts, { headers, principal }: Caller): Promise<string[]> {
  const { cookies, stores } = parts
  const token = cookies.refresh.read(headers.cookie)
  const users = new Set<string>()
  const byToken = token && (await stores.sessions.endByToken(hashToken(token)))
  if (byToken) users.add(byToken)
  if (principal.kind === 'user' && (await stores.sessions.end(principal.userId, principal.sessionId))) {
    users.add(principal.userId)
  }
  for (const userId of users) await parts.signalPrincipalChanged(userId)
  return [cookies.refresh.clear(), cookies.pending.clear()]
}

/** The cookie that makes this browser a trusted device of the user. */
export const trustDevice = (parts: AuthParts, caller: Caller, owner: DeviceOwner): string => {
  const browserId = trustedDeviceOf(parts, caller, owner) ?? parts.newId()
  return parts.cookies.browser.set(trustedDevice(parts.keys.browser[0], browserId, owner), yearSeconds)
}

/** The id of a browser that is a trusted device of the user; undefined for any other. */
export const trustedDeviceOf = (
  { cookies, keys }: AuthParts,
  { headers }: Caller,
  owner: DeviceOwner,
): string | undefined => readTrustedDevice(keys, cookies.browser.read(headers.cookie), owner)

/** A pending cookie and its stored form. */
export function newPending({ cookies }: AuthParts): { hash: Buffer; cookie: string } {
  const token = randomToken()
  return { hash: hashToken(token), cookie: cookies.pending.set(token, pendingSeconds) }
}
