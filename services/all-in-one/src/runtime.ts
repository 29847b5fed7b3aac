import type { MemoryHub } from '@parley/cache'
import type { ServiceName } from '@parley/contracts'
import {
  type Closable,
  createIdentities,
  createMetrics,
  createServiceClient,
  type EmbeddedEngines,
  type Engine,
  type EngineUser,
  type ListenAddress,
  type Locate,
  type Logger,
  mergedMetrics,
  newId,
  openEngines,
  type Registry,
  type RunningService,
  retryWhileUnavailable,
  type Service,
  type ServiceDefinition,
  type ServiceDeps,
  startService,
  stopStages,
  systemClock,
} from '@parley/kit'
import { allServices } from './services.ts'

/** How long a start waits for an engine. Milliseconds. */
const patienceMs = 120_000

/** The parsed variables of all services. */
export type ServicesConfig = ServiceDeps['config']

/** The engines that all services share. */
export type Engines = EmbeddedEngines<MemoryHub>

/** Runs the services of one process: resolves their addresses, and opens and closes their engines and clients. */
export type Runtime = ReturnType<typeof openRuntime>

export interface RuntimeOptions {
  readonly engines: Engines
  readonly config: ServicesConfig
  /** No other replica uses the same engines, so work of a dead process can be ended at startup. */
  readonly isOnlyReplica?: boolean
  readonly log: Logger
}

/** Opens nothing until services are created. */
export function openRuntime({ engines, config, isOnlyReplica = false, log }: RuntimeOptions) {
  const identityOf = createIdentities()
  const running = new Map<string, { readonly service: Service; readonly listening: RunningService }>()
  const closables: Closable[] = []
  const registries: Registry[] = []
  const keep = <T extends Closable>(closable: T): T => {
    closables.push(closable)
    return closable
  }
  const locate: Locate = (name) => {
    const found = running.get(name)
    if (found === undefined) throw new Error(`${name} has not started`)
    return found.listening.url
  }
  /** An engine that is unavailable is waited for, such as one that a busy machine is slow to answer for. */
  const patiently = <T>(what: string, act: () => Promise<T>): Promise<T> =>
    retryWhileUnavailable({ what, act, log, patienceMs })
  const open = async (engine: Engine, user: EngineUser): Promise<Closable> =>
    keep(await patiently(engine.kind, () => engine.openEmbedded(engines, user)))
  const shared = new Map<Engine, Promise<Closable>>()
  const openShared = (engine: Engine): Promise<Closable> => {
    const opened = shared.get(engine) ?? open(engine, { service: 'parley', log })
    shared.set(engine, opened)
    return opened
  }
  const openFor =
    (user: EngineUser) =>
    async (engine: Engine): Promise<Closable> =>
      engine.isSharedEmbedded ? await openShared(engine) : await open(engine, user)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // Drain all first: an open stream keeps the gateway from stopping until the service behind it ends the stream.
    for (const { service } of running.values()) service.drain()
    const stop = async (name: ServiceName): Promise<void> => running.get(name)?.listening.stop()
    for (const stage of stopStages(allServices)) await Promise.all(stage.map(stop))
    await Promise.all(closables.map((closable) => closable.close()))
  }
  return {
    locate,
    /** The dependencies of a service. */
    async depsOf({ name: service, engines: wanted }: ServiceDefinition): Promise<ServiceDeps> {
      const user = { service, log: log.child({ service }) }
      const identity = identityOf(service)
      // The process's own metrics are reported once, by the gateway.
      const metrics = createMetrics(service, service === 'gateway')
      registries.push(metrics)
      const opened = await openEngines(wanted, openFor(user))
      return {
        engines: opened,
        client: keep(createServiceClient({ self: service, locate, identity })),
        locate,
        identity,
        metrics,
        log: user.log,
        now: systemClock,
        newId,
        config,
        isOnlyReplica,
      }
    },
    /** The metrics of all services that got dependencies, in the Prometheus format. */
    metrics: (): Promise<string> => mergedMetrics(registries),
    async run(service: Service, address: ListenAddress): Promise<RunningService> {
      const start = () => patiently(`start of ${service.name}`, service.start)
      const listening = await startService({ ...service, start }, address)
      running.set(service.name, { service, listening })
      return listening
    },
    /** Stops each service before its dependencies, then closes engines and clients. Idempotent. */
    close(): Promise<void> {
      closing ??= close()
      return closing
    },
  }
}
