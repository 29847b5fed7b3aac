import type { ServiceName } from '@parley/contracts'
import { createService, loadModules, type ServiceDefinition } from '@parley/kit'
import { openRuntime, type RuntimeOptions, type ServicesConfig } from './runtime.ts'
import { allServices, services } from './services.ts'

/** The options of a whole system; the variables include the gateway's address. */
export interface ComposeOptions extends RuntimeOptions {
  readonly config: ServicesConfig & { readonly PORT: number }
}

/** A running Parley. */
export interface Parley {
  /** The gateway's URL. */
  readonly url: string
  /** Messages of the services to the operator. */
  readonly announcements: readonly string[]
  /** Loopback URL of a service. */
  urlOf(service: ServiceName): string
  /** The metrics of all services. */
  metrics(): Promise<string>
  /** Stops the gateway first, then the services behind it. Idempotent. */
  stop(): Promise<void>
}

const loopback = { host: '127.0.0.1', port: 0 }

/**
 * Starts every service on its own loopback port, and the gateway in front of them. Composing twice on the same engines gives two replicas.
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
