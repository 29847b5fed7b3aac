import type { BlockList } from 'node:net'
import type { Counter, Signal } from '@parley/cache'
import type { LiveSettings, Locate, ServiceClient, Tools } from '@parley/kit'

/** How long a service may be silent before and during its response, in milliseconds, by kind of route. */
export interface RelayTimes {
  readonly answerMs: number
  readonly streamMs: number
  /** When a caller leaves after this much silence, the replica is suspected to hang: kept connections to its service are not reused. */
  readonly suspectMs?: number
}

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
