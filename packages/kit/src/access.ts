import type { Principal, Route, UserPrincipal } from '@parley/contracts'
import { AppError } from './app-error.ts'

/**
 * Decides whether a principal may call a route.
 * @throws AppError unauthenticated, account_banned or forbidden
 */
export function authorise(route: Pick<Route, 'access' | 'bannedAllowed' | 'guestRefusal'>, principal: Principal): void {
  if (principal.kind === 'service') return
  if (route.access === 'service') throw new AppError('unauthenticated', 'Not for this caller')
  if (principal.kind === 'guest') {
    refuseGuest(route)
    return
  }
  if (route.access === 'public') return
  if (principal.rights.isBanned && !route.bannedAllowed) {
    throw new AppError('account_banned', 'Your account has been banned. Please contact support for assistance.')
  }
  if (route.access === 'admin' && !principal.rights.isAdmin) {
    throw new AppError('forbidden', 'You do not have permission to access the admin panel')
  }
}

function refuseGuest({ access, guestRefusal }: Pick<Route, 'access' | 'guestRefusal'>): void {
  if (access === 'admin') {
    throw new AppError('unauthenticated', 'You must be logged in to access the admin panel')
  }
  if (access === 'user') throw new AppError('unauthenticated', guestRefusal ?? 'Please sign in to continue.')
}

/** The signed-in user behind a call. @throws AppError unauthenticated for anybody else; a service acts for nobody */
export function actingUser(principal: Principal): UserPrincipal {
  if (principal.kind !== 'user') throw new AppError('unauthenticated', 'Please sign in to continue.')
  return principal
}
