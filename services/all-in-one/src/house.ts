import { type EventBus, openPgBus } from '@parley/bus'
import type { CacheEngine, MemoryHub } from '@parley/cache'
import type { ServiceName } from '@parley/contracts'
import {
  createIdentityCodec,
  createMetrics,
  createServiceClient,
  type IdentityCodec,
  type Locate,
  type Logger,
  newId,
  type Registry,
  type RunningService,
  type Service,
  type ServiceClient,
  startService,
  systemClock,
} from '@parley/kit'

/** The engines that all services share. */
export interface Engines {
  readonly postgresUrl: string
  readonly hub: MemoryHub
}

/** What every service is handed, made for it by name. */
export interface Tools {
  readonly client: ServiceClient
  readonly cache: CacheEngine
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: typeof systemClock
  readonly newId: typeof newId
}

/** Where services of one system find each other, their engines and their tools; it closes all that it opened. */
export interface House {
  readonly postgres: { readonly url: string; readonly log: Logger }
  readonly locate: Locate
  toolsOf(service: ServiceName): Tools
  bus(): Promise<EventBus>
  /** Closes it with the house, after the services have stopped. */
  keep<T extends { close(): Promise<unknown> }>(closable: T): T
  run(service: Service, address: { host: string; port: number }): Promise<RunningService>
  /** Stops services in the reverse order of their start, then closes what they used. Idempotent. */
  close(): Promise<void>
}

/** What a house is opened with. */
export interface HouseOptions {
  readonly engines: Engines
  readonly internalSecret: string
  readonly log: Logger
}

/** Opens nothing yet. */
export function openHouse({ engines, internalSecret, log }: HouseOptions): House {
  const identity = createIdentityCodec(internalSecret)
  const postgres = { url: engines.postgresUrl, log }
  const urls = new Map<string, string>()
  const services: Service[] = []
  const running: RunningService[] = []
  const kept: { close(): Promise<unknown> }[] = []
  const keep: House['keep'] = (closable) => {
    kept.push(closable)
    return closable
  }
  const locate: Locate = (service) => {
    const url = urls.get(service)
    if (url === undefined) throw new Error(`${service} has not started`)
    return url
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // All at once first: an open stream holds the gateway up until the service behind it ends it.
    for (const service of services) service.drain()
    for (const service of running.toReversed()) await service.stop()
    await Promise.all(kept.map((closable) => closable.close()))
  }
  return {
    postgres,
    locate,
    keep,
    toolsOf: (service) => ({
      client: keep(createServiceClient({ self: service, locate, identity })),
      cache: keep(engines.hub.open(service)),
      identity,
      // The process's own figures are reported once, by the gateway.
      metrics: createMetrics(service, service === 'gateway'),
      log: log.child({ service }),
      now: systemClock,
      newId,
    }),
    bus: async () => keep(await openPgBus(postgres)),
    async run(service, address) {
      const started = await startService(service, address)
      urls.set(service.name, started.url)
      services.push(service)
      running.push(started)
      return started
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
