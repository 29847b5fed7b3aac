import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '@parley/contracts'
import {
  chooseRequestId,
  createErrorWriter,
  measureNow,
  type OwnAddresses,
  type Registry,
  type RequestTimer,
  refuseEncoding,
  requestIdHeaders,
  servedPath,
} from '@parley/kit'
import type { Admit } from '../admission.ts'
import type { GatewayServiceDeps } from '../deps.ts'
import type { OpenStreams } from '../open-streams.ts'
import { compressAnswer } from './compression.ts'
import { neverStored, securityHeaderList, setHeaders } from './headers.ts'
import { allowOrigin, originHeaderList } from './origin.ts'
import type { Relay } from './relay.ts'
import { refuseAmbiguous } from './request-smuggling.ts'

export interface RelayedRoutesDeps extends Pick<GatewayServiceDeps, 'publicUrl' | 'metrics' | 'log'> {
  readonly own: OwnAddresses
  readonly time: RequestTimer
  readonly admit: Admit
  readonly streams: OpenStreams
  readonly relay: Relay
}

/** Answers a request through the service that owns its route. */
export type AnswerByService = (route: Route, request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * The fast path of most requests, without Express, whose middleware costs more than the work itself. Checks and response headers are the
 * same as on the other path; the headers are collected and written at once.
 */
export function answerByServices(deps: RelayedRoutesDeps): AnswerByService {
  const fail = createErrorWriter(deps.log)
  const secured = [...securityHeaderList(deps.publicUrl), ...neverStored]
  const countStream = countOpenStreams(deps.metrics)
  return async (route, request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const requestId = chooseRequestId(request)
    const headers = [...secured, ...originHeaderList(path)]
    for (const name of requestIdHeaders(path)) headers.push(name, requestId)
    // Metrics and traces read the route from here.
    Object.assign(response, { locals: { route: { path: servedPath(route) } } })
    deps.time(request, response)
    try {
      refuseAmbiguous(request)
      refuseEncoding(request)
      deps.own.refuseForeignHost(request.headers)
      headers.push(...allowOrigin(deps.own, path, request.headers))
      const { caller, headers: ofLimit } = await deps.admit(route, request)
      // A caller who left meanwhile would be counted and watched forever, because their close event has already fired.
      if (response.destroyed) return
      headers.push(...ofLimit)
      if (route.stream) {
        deps.streams.add(caller, response, route)
        countStream(response)
      } else if (route.access !== 'key') {
        // Programs get the provider's bytes.
        compressAnswer(request, response)
      }
      await deps.relay.relay({ request, response, route, principal: caller.principal, requestId, headers })
    } catch (error) {
      if (!response.headersSent) setHeaders(response, headers)
      fail(error, request, response)
    }
  }
}

function countOpenStreams(metrics: Registry): (response: ServerResponse) => void {
  let open = 0
  measureNow(metrics, { name: 'gateway_open_streams', help: 'Streamed answers that are being relayed' }, () => open)
  return (response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
  }
}
