import { Agent, type buildConnector, type Dispatcher, fetch } from 'undici'
import type { EndpointGuard } from './endpoint-guard.ts'
import { guardedConnector } from './guarded-connector.ts'

export type Egress = ReturnType<typeof createEgress>

/**
 * How calls of configured and registered addresses leave the process. Opens connections on demand. Never follows redirects: a key must not travel on.
 * @param connectMs for one connection
 */
export function createEgress(guard: EndpointGuard, connectMs: number) {
  const agent = (connect: buildConnector.BuildOptions | buildConnector.connector) =>
    new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000, connect })
  const open = agent({ timeout: connectMs })
  const shut = agent(guardedConnector(guard, connectMs))
  return {
    /** `fetch` to addresses the operator configured. */
    trusted: fetchThrough(open),
    /** `fetch` to endpoints that admins registered, kept out of private networks. */
    guarded: fetchThrough(shut),
    /** The same two, for undici's `request`, which relays bytes at a fraction of the cost and follows no redirect either. */
    dispatchers: { trusted: open, guarded: shut },
    /** Ends every connection. Idempotent. */
    async close(): Promise<void> {
      await Promise.all([open.destroy(), shut.destroy()])
    },
  }
}

/** The SDKs know the platform's `fetch`; undici's own differs from it in types only. */
const fetchThrough = (dispatcher: Dispatcher): typeof globalThis.fetch =>
  ((input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) =>
    fetch(input, { ...init, dispatcher, redirect: 'error' })) as unknown as typeof globalThis.fetch
