import type { Principal, Rights, Route, UserPrincipal } from '@parley/contracts'
import { AppError } from '../errors/app-error.ts'

type Authorised = Pick<Route, 'access' | 'bannedAllowed' | 'guestRefusal'> & Partial<Pick<Route, 'method' | 'viewable'>>

/**
 * Decides whether a principal may call a route.
 * @throws AppError unauthenticated, account_banned or forbidden
 */
export function authorise(route: Authorised, principal: Principal): void {
  switch (principal.kind) {
    case 'service':
      return
    case 'guest':
      refuseGuest(route)
      return
    case 'key':
      if (route.access !== 'key') throw new AppError('unauthenticated', 'API keys are for /api/v1 only')
      refuseBanned(route, principal.rights)
      return
    case 'user':
      if (principal.viewedBy !== undefined) refuseViewing(route)
      refuseUser(route, principal.rights)
      return
    default:
      principal satisfies never
  }
}

/** An admin who views the product as a user changes nothing and reads nothing that the user wrote. */
function refuseViewing({ access, method, viewable }: Authorised): void {
  if (viewable || (access === 'public' && method === 'GET')) return
  throw new AppError('forbidden', 'You’re viewing as this user: you can’t change anything, and chats are hidden.')
}

function refuseUser(route: Pick<Route, 'access' | 'bannedAllowed'>, rights: Rights): void {
  switch (route.access) {
    case 'public':
      return
    case 'service':
      throw new AppError('unauthenticated', 'Not for this caller')
    case 'key':
      throw new AppError('unauthenticated', apiKeyMissing)
    case 'guest':
    case 'user':
    case 'admin':
      refuseBanned(route, rights)
      if (route.access === 'admin' && !rights.isAdmin) {
        throw new AppError('forbidden', 'You do not have permission to access the admin panel')
      }
      return
    default:
      route.access satisfies never
  }
}

const apiKeyMissing = 'This needs an API key'

function refuseBanned({ bannedAllowed }: Pick<Route, 'bannedAllowed'>, { isBanned }: Rights): void {
  if (isBanned && !bannedAllowed) {
    throw new AppError('account_banned', 'Your account has been banned. Please contact support for assistance.')
  }
}

function refuseGuest({ access, guestRefusal }: Pick<Route, 'access' | 'guestRefusal'>): void {
  switch (access) {
    case 'public':
    case 'guest':
      return
    case 'user':
      throw new AppError('unauthenticated', guestRefusal ?? 'Please sign in to continue.')
    case 'admin':
      throw new AppError('unauthenticated', 'You must be logged in to access the admin panel')
    case 'key':
      throw new AppError('unauthenticated', apiKeyMissing)
    case 'service':
      throw new AppError('unauthenticated', 'Not for this caller')
    default:
      access satisfies never
  }
}

/** The signed-in user behind a call. @throws AppError unauthenticated for any other caller; a service acts for no user */
export function actingUser(principal: Principal): UserPrincipal {
  if (principal.kind !== 'user') throw new AppError('unauthenticated', 'Please sign in to continue.')
  return principal
}
