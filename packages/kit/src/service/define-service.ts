import type { ServiceName } from '@parley/contracts'
import { z } from 'zod'
import type { Locate, ServiceClient } from '../calls/service-client.ts'
import type { TlsServer } from '../certificates/tls-servers.ts'
import type { Finding } from '../doctor/finding.ts'
import { identityVariables } from '../identity/identity-keys.ts'
import { commonConfig } from './config.ts'
import type { BusEngine, Closable, Engine, Stores } from './engine.ts'
import { serviceUrl } from './engine-config.ts'
import type { Service } from './service.ts'
import type { Subscription } from './subscription.ts'
import type { Tools } from './tools.ts'

/** The engines of a service, each under the name by which it is handed to it. */
type Engines = Readonly<Record<string, Engine>> & { readonly stores?: Engine<Stores>; readonly bus?: BusEngine }

type Opened<E extends Engines> = { readonly [K in keyof E]: Awaited<ReturnType<E[K]['open']>> }

/** What the process that runs a service provides to it. */
export interface ServiceDeps<V extends z.ZodRawShape = z.ZodRawShape, E extends Engines = Engines> extends Tools {
  readonly config: z.output<z.ZodObject<V>> & { readonly HOST: string }
  readonly engines: Opened<E>
  readonly client: ServiceClient
  readonly locate: Locate
  /** Milliseconds that running work has after a drain; the service's own by default. */
  readonly drainMs?: number
  /** No other process uses the same engines. */
  readonly isOnlyReplica?: boolean
}

/** A command of a service's program, run instead of serving. */
export interface ServiceCommand<V extends z.ZodRawShape = z.ZodRawShape, E extends Engines = Engines> {
  /** Names of what follows the command's own name, such as `<username>`. */
  readonly parameters: readonly string[]
  /** Names of the engines that it uses; no other is opened in a cluster, nor has its address to be given. */
  readonly uses: readonly (keyof E & string)[]
  /** Names of the variables that it reads besides those of its engines. */
  readonly reads?: readonly string[]
  /** Resolves to the text to print. @throws Error whose message is for the operator */
  run(deps: ServiceDeps<V, E>, args: readonly string[]): Promise<string>
}

/** A service as every process and deployment knows it: all of them are made of it. */
export interface ServiceDefinition<V extends z.ZodRawShape = z.ZodRawShape, E extends Engines = Engines> {
  readonly name: ServiceName
  /** The service's code, loaded only by a process that runs it, not by one that only reads its definition. */
  readonly modules: Readonly<Record<string, () => Promise<unknown>>>
  /** Services that it calls; each of them stops later. */
  readonly calls: readonly ServiceName[]
  /** The optional ones among `calls`: without them it works with less, so they may stop before it. */
  readonly degradesWithout?: readonly ServiceName[]
  /** It calls addresses outside the deployment: providers, pages, single sign-on, a mail server. */
  readonly reachesOutside?: true
  /** Anybody calls it, not services alone. */
  readonly isEntrance?: true
  readonly engines: E
  /** Its variables, besides those of every service, of its engines, and the addresses of the services that it calls. */
  readonly variables: V
  /** Names of variables of which all or none must be set. */
  readonly setTogether?: readonly string[]
  /** What it reaches over TLS besides its engines, for the certificates of `GET /admin/health`. @param variables its own */
  servers?(variables: z.output<z.ZodObject<V>>): readonly TlsServer[]
  /** Looks at what only it needs of the world outside, for its command `doctor`; changes nothing. @param variables its own */
  examine?(variables: z.output<z.ZodObject<V>>): Promise<readonly Finding[]>
  create(deps: ServiceDeps<V, E>): Promise<Service>
  /** All that it does with events; none without it. */
  subscriptions?(deps: ServiceDeps<V, E>): Promise<readonly Subscription[]>
  /** Reseals with the current secret what former ones sealed; the last step of `migrate`, and of its start. */
  readonly reseal?: Pick<Required<ServiceCommand>, 'reads'> & { run(deps: ServiceDeps<V, E>): Promise<void> }
  /** Beside `doctor`, which every service has, `migrate`, which every one with stores has, and `dead-letters`, which every one with subscriptions has. */
  readonly commands?: Readonly<Record<string, ServiceCommand<V, E>>>
}

/** Defines a service and keeps the exact types of its variables and engines. */
export const defineService = <V extends z.ZodRawShape, E extends Engines>(
  definition: ServiceDefinition<V, E>,
): ServiceDefinition<V, E> => definition

/** The variable that holds the address of a service. */
export const urlVariable = (service: ServiceName): string => `${service.toUpperCase().replaceAll('-', '_')}_URL`

/** The schema of every variable that a process of a service has in a cluster. */
export function processSchema({ calls, engines, variables, setTogether = [] }: ServiceDefinition) {
  const shape: z.ZodRawShape = {
    ...Object.assign({}, ...Object.values(engines).map((engine) => engine.variables)),
    ...Object.fromEntries(calls.map((service) => [urlVariable(service), serviceUrl])),
    ...variables,
    ...identityVariables,
    ...commonConfig,
  }
  return z.object(shape).check(allOrNone(setTogether))
}

/** The values of variables of which some are known here, and others only by definitions. */
export type KnownVariables<Known extends z.ZodRawShape> = z.output<z.ZodObject<Known>> &
  Readonly<Record<string, unknown>>

/** Reports each of these variables that is missing while others are set. For a schema's `check`. */
export const allOrNone = (names: readonly string[]) =>
  z.superRefine<Record<string, unknown>>(
    (variables, { addIssue }) => {
      const missing = names.filter((name) => variables[name] === undefined)
      if (missing.length === names.length) return
      for (const name of missing) addIssue({ code: 'custom', path: [name], message: 'must be set', input: undefined })
    },
    // Reported together with every other fault.
    { when: () => true },
  )

/**
 * The order in which services stop: those of one stage at once, each before the services that it requires.
 * @throws Error when services need each other in a circle
 */
export function stopStages(services: readonly ServiceDefinition[]): readonly (readonly ServiceName[])[] {
  const stages: ServiceName[][] = []
  let left = services
  while (left.length > 0) {
    const needed = new Set(
      left.flatMap(({ calls, degradesWithout = [] }) => calls.filter((name) => !degradesWithout.includes(name))),
    )
    const stage = left.map(({ name }) => name).filter((name) => !needed.has(name))
    if (stage.length === 0) throw new Error(`${left.map(({ name }) => name).join(', ')} need each other in a circle`)
    stages.push(stage)
    left = left.filter(({ name }) => !stage.includes(name))
  }
  return stages
}

/** Loads the code of services. Done before anything is opened, since a connection that is being made does not outlast it on a slow machine. */
export const loadModules = (...services: readonly ServiceDefinition[]): Promise<unknown> =>
  Promise.all(services.flatMap(({ modules }) => Object.values(modules)).map((load) => load()))

/** Opens every engine of a service, by the name that it gives to each. */
export async function openEngines(
  engines: Readonly<Record<string, Engine>>,
  open: (engine: Engine) => Promise<Closable>,
) {
  const entries = Object.entries(engines).map(async ([name, engine]) => [name, await open(engine)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
