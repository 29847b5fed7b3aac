import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '@parley/contracts'

/** Who calls, from which browser. */
export interface Caller {
  readonly principal: Principal
  /** Lower case. */
  readonly headers: IncomingHttpHeaders
}

const longestUserAgent = 400
/** As the browser calls itself; empty when it does not. */
export const userAgentOf = ({ headers }: Caller): string => (headers['user-agent'] ?? '').slice(0, longestUserAgent)
