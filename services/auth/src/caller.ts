import type { Route } from '@parley/contracts'
import type { Call } from '@parley/kit'

/** The caller and their browser. */
export type Caller = Pick<Call<Route>, 'principal' | 'headers'>

const longestUserAgent = 400
/** The browser's `User-Agent`; empty without one. */
export const userAgentOf = ({ headers }: Caller): string => (headers['user-agent'] ?? '').slice(0, longestUserAgent)
