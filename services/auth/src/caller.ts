import type { IncomingHttpHeaders } from 'node:http'
import type { Principal, UserPrincipal } from '@parley/contracts'
import { AppError } from '@parley/kit'

/** Who calls, from which browser. */
export interface Caller {
  readonly principal: Principal
  /** Lower case. */
  readonly headers: IncomingHttpHeaders
}

const longestUserAgent = 400
/** As the browser calls itself; empty when it does not. */
export const userAgentOf = ({ headers }: Caller): string => (headers['user-agent'] ?? '').slice(0, longestUserAgent)

/** The signed-in user behind a call. @throws AppError unauthenticated for a service, which acts for nobody */
export function actingUser(principal: Principal): UserPrincipal {
  if (principal.kind !== 'user') throw new AppError('unauthenticated', 'Please sign in to continue.')
  return principal
}
