import { buildConnector } from 'undici'
import type { EndpointGuard } from './endpoint-guard.ts'

/** Dials vetted addresses only, even if a name is re-pointed meanwhile. @param connectMs time-out for one connection */
export function guardedConnector(guard: EndpointGuard, connectMs: number): buildConnector.connector {
  const dial = buildConnector({ timeout: connectMs, lookup: guard.lookup })
  return (options, callback) => {
    if (guard.refusesLiteral(options.hostname)) callback(new Error('private address refused'), null)
    else dial(options, callback)
  }
}
