import type { BlockList } from 'node:net'
import type { Counter, Signal } from '@parley/cache'
import type { Clock, IdentityCodec, LiveSettings, Locate, Logger, Registry, ServiceClient } from '@parley/kit'
import type { RelayTimes } from './http/relay.ts'

/** All that the gateway uses; whoever opened it closes it. */
export interface GatewayServiceDeps {
  /** Origin under which people reach Parley. */
  readonly publicUrl: string
  /** Further ones. */
  readonly extraOrigins: readonly string[]
  readonly trustedProxies: BlockList
  /** Folder of the built SPA; without it only `/api` is served. */
  readonly webDir: string | undefined
  readonly counter: Counter
  readonly signal: Signal
  readonly settings: LiveSettings
  readonly client: ServiceClient
  readonly locate: Locate
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: Clock
  /** Instead of the product's own. */
  readonly relayTimes?: RelayTimes | undefined
}
