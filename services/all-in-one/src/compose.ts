import type { ServiceName } from '@parley/contracts'
import { createService, loadModules, type ServiceDefinition } from '@parley/kit'
import { openRuntime, type RuntimeOptions, type ServicesConfig } from './runtime.ts'
import { allServices, services } from './services.ts'

/** What a whole system is made of: the address of the gateway is among the variables. */
export interface ComposeOptions extends RuntimeOptions {
  readonly config: ServicesConfig & { readonly PORT: number }
}

/** A running Parley. */
export interface Parley {
  /** Of the gateway. */
  readonly url: string
  /** What the services have to tell the operator of this start. */
  readonly announcements: readonly string[]
  /** Base URL of one of its services on the loopback. */
  urlOf(service: ServiceName): string
  /** Of all of its services. */
  metrics(): Promise<string>
  /** Ends the gateway first, then what stands behind it. Idempotent. */
  stop(): Promise<void>
}

const loopback = { host: '127.0.0.1', port: 0 }

/**
 * Starts every service on a loopback port of its own, and the gateway in front of them. Composed twice over the same engines, the two
 * are replicas of each other.
 */
export async function composeParley(options: ComposeOptions): Promise<Parley> {
  const { HOST: host, PORT: port } = options.config
  const runtime = openRuntime(options)
  try {
    await loadModules(...allServices)
    const create = async (definition: ServiceDefinition) => createService(definition, await runtime.depsOf(definition))
    const behind = await Promise.all(allServices.filter((one) => one !== services.gateway).map(create))
    await Promise.all(behind.map((service) => runtime.run(service, loopback)))
    const { url } = await runtime.run(await create(services.gateway), { host, port })
    const announcements = behind.flatMap((service) => service.announcement?.() ?? [])
    return { url, announcements, urlOf: runtime.locate, metrics: runtime.metrics, stop: runtime.close }
  } catch (error) {
    await runtime.close()
    throw error
  }
}
