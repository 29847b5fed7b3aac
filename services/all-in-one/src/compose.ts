import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import {
  createService,
  type ListenAddress,
  loadModules,
  type Service,
  type ServiceDefinition,
  unlessAborted,
} from '@parley/kit'
import { openRuntime, type Runtime, type RuntimeOptions, type ServicesConfig } from './runtime.ts'
import { allServices, services } from './services.ts'

/** The options of a whole system; the variables include the gateway's address. */
export interface ComposeOptions extends RuntimeOptions {
  readonly config: ServicesConfig & { readonly PORT: number }
  /** A folder for the Unix sockets of the services behind the gateway, which are cheaper than loopback ports and closed to other users; without it they get ports. */
  readonly socketFolder?: string | undefined
  /** Aborts the start. */
  readonly signal?: AbortSignal
}

/** A running Parley. */
export interface Parley {
  /** The gateway's URL. */
  readonly url: string
  /** Messages of the services to the operator. */
  readonly announcements: readonly string[]
  /** The base URL of a service, or the location of its socket. */
  urlOf(service: ServiceName): string
  /** The metrics of all services. */
  metrics(): Promise<string>
  /** Stops the gateway first, then the services behind it. Idempotent. */
  stop(): Promise<void>
}

/** Starts every service, and the gateway in front of them. Composing twice on the same engines gives two replicas. */
export async function composeParley(options: ComposeOptions): Promise<Parley> {
  const runtime = openRuntime(options)
  try {
    const { signal = new AbortController().signal } = options
    return await unlessAborted(signal, () => start(runtime, options))
  } catch (error) {
    await runtime.close()
    throw error
  }
}

async function start(runtime: Runtime, options: ComposeOptions): Promise<Parley> {
  const { HOST: host, PORT: port } = options.config
  await loadModules(...allServices)
  const create = async (definition: ServiceDefinition) => createService(definition, await runtime.depsOf(definition))
  const behind = await Promise.all(allServices.filter((one) => one !== services.gateway).map(create))
  await Promise.all(behind.map((service) => runtime.run(service, addressOf(service, options))))
  const { url } = await runtime.run(await create(services.gateway), { host, port })
  const announcements = behind.flatMap((service) => service.announcement?.() ?? [])
  return { url, announcements, urlOf: runtime.locate, metrics: runtime.metrics, stop: runtime.close }
}

function addressOf({ name }: Service, { socketFolder }: ComposeOptions): ListenAddress {
  if (socketFolder === undefined) return { host: '127.0.0.1', port: 0 }
  const path = join(socketFolder, `${name}.sock`)
  // Left by a process that was killed.
  rmSync(path, { force: true })
  return { path }
}
