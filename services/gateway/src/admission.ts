import type { IncomingMessage } from 'node:http'
import type { Route } from '@parley/contracts'
import { authorise, bodyLimitOf, tooLargeBody } from '@parley/kit'
import { watchCallers } from './caller-watch.ts'
import type { GatewayServiceDeps } from './deps.ts'
import type { HeaderList } from './http/headers.ts'
import { type RateLimitDeps, takeRequest } from './http/rate-limit.ts'
import { type Caller, createIdentify, type IdentifyDeps } from './identity/identify.ts'

export interface AdmissionDeps extends GatewayServiceDeps, IdentifyDeps, RateLimitDeps {}

/** An admitted caller. */
export interface Admitted {
  readonly caller: Caller
  /** Headers with the rest of the caller's limit, for the response. */
  readonly headers: HeaderList
}

/**
 * Identifies the caller of a route, authorises the call and takes it from the rate limit.
 * @throws AppError payload_too_large, and the errors of `identify`, `authorise` and `takeRequest`
 */
export type Admit = (route: Route, request: IncomingMessage) => Promise<Admitted>

const noHeaders: HeaderList = []

/** Creates the admission shared by all routes. */
export function createAdmission(deps: AdmissionDeps): Admit {
  const noteCaller = watchCallers(deps)
  const identify = createIdentify(deps)
  return async (route, request) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyLimitOf(route)) throw tooLargeBody(route)
    noteCaller(request)
    const caller = await identify(route, request)
    authorise(route, caller.principal)
    const headers = route.limited ? await takeRequest(deps, route.limited, caller.principal) : noHeaders
    return { caller, headers }
  }
}
