import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '@parley/contracts'

/** The caller and their browser. */
export interface Caller {
  readonly principal: Principal
  /** Lower case. */
  readonly headers: IncomingHttpHeaders
}

const longestUserAgent = 400
/** The browser's `User-Agent`; empty without one. */
export const userAgentOf = ({ headers }: Caller): string => (headers['user-agent'] ?? '').slice(0, longestUserAgent)
