import type { ServiceName } from '@parley/contracts'
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
    const started = await Promise.all(
      allServices
        .filter((definition) => definition !== services.gateway)
        .map(async (definition) => {
          const service = await definition.create(await runtime.depsOf(definition))
          await runtime.run(service, loopback)
          return service
        }),
    )
    const gateway = await services.gateway.create(await runtime.depsOf(services.gateway))
    const { url } = await runtime.run(gateway, { host, port })
    const announcements = started.flatMap((service) => service.announcement?.() ?? [])
    return { url, announcements, urlOf: runtime.locate, stop: runtime.close }
  } catch (error) {
    await runtime.close()
    throw error
  }
}
