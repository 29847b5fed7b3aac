import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal, Route } from '@parley/contracts'
import type { HeaderList } from './headers.ts'

/** A request that is let through to a service, and what the gateway found out about it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  readonly principal: Principal
  readonly requestId: string
  /** Of every answer, unless the service sets the same. */
  readonly headers: HeaderList
}
