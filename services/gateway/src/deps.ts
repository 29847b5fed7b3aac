import type { BlockList } from 'node:net'
import type { Counter, Signal } from '@parley/cache'
import type { LiveSettings, Locate, ServiceClient, Tools } from '@parley/kit'
import type { RelayTimes } from './http/relay.ts'

/** The gateway's dependencies; the caller that opened them closes them. */
export interface GatewayServiceDeps extends Omit<Tools, 'newId'> {
  /** Public origin of Parley. */
  readonly publicUrl: string
  /** Additional origins. */
  readonly extraOrigins: readonly string[]
  readonly trustedProxies: BlockList
  /** Folder of the built SPA; without it only `/api` is served. */
  readonly webDir: string | undefined
  readonly counter: Counter
  readonly signal: Signal
  readonly settings: LiveSettings
  readonly client: ServiceClient
  readonly locate: Locate
  /** Overrides the default timeouts. */
  readonly relayTimes?: RelayTimes | undefined
}
