import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal, Route } from '@parley/contracts'
import type { HeaderList } from './headers.ts'

/** A request admitted for relaying, with its identified caller. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  readonly principal: Principal
  readonly requestId: string
  /** Headers of every response, unless the service sets the same ones. */
  readonly headers: HeaderList
}
