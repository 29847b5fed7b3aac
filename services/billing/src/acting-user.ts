import type { Principal, UserPrincipal } from '@parley/contracts'
import { AppError } from '@parley/kit'

/** The signed-in user behind a call. @throws AppError unauthenticated for a service, which acts for nobody */
export function actingUser(principal: Principal): UserPrincipal {
  if (principal.kind !== 'user') throw new AppError('unauthenticated', 'Please sign in to continue.')
  return principal
}
