import { Agent, buildConnector, type Dispatcher, fetch } from 'undici'
import type { EndpointGuard } from './endpoint-guard.ts'

/** How provider calls leave the process. */
export interface Egress {
  /** `fetch` to addresses the operator configured. */
  readonly trusted: typeof globalThis.fetch
  /** `fetch` to endpoints that admins registered, kept out of private networks. */
  readonly guarded: typeof globalThis.fetch
  /** Ends every connection. Idempotent. */
  close(): Promise<void>
}

/** Opens connections on demand. Never follows redirects: a key must not travel on. @param connectMs for one connection */
export function createEgress(guard: EndpointGuard, connectMs: number): Egress {
  const timeouts = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 }
  const open = new Agent({ ...timeouts, connect: { timeout: connectMs } })
  const dial = buildConnector({ timeout: connectMs, lookup: guard.lookup })
  const shut = new Agent({
    ...timeouts,
    connect(options, callback) {
      if (guard.refusesLiteral(options.hostname)) callback(new Error('private address refused'), null)
      else dial(options, callback)
    },
  })
  return {
    trusted: fetchThrough(open),
    guarded: fetchThrough(shut),
    async close() {
      await Promise.all([open.destroy(), shut.destroy()])
    },
  }
}

/** The SDKs know the platform's `fetch`; undici's own differs from it in types only. */
const fetchThrough = (dispatcher: Dispatcher): typeof globalThis.fetch =>
  ((input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) =>
    fetch(input, { ...init, dispatcher, redirect: 'error' })) as unknown as typeof globalThis.fetch
