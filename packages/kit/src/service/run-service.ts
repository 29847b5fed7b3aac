import { z } from 'zod'
import { retryWhileUnavailable } from '../async/retry-while-unavailable.ts'
import { createServiceClient, type Locate } from '../calls/service-client.ts'
import { examineService } from '../doctor/examine.ts'
import { exitCodeOf, presentFindings } from '../doctor/finding.ts'
import { type IdentityKeys, identityVariables, newIdentityVariables } from '../identity/identity-keys.ts'
import { startTracing } from '../observability/tracing/start-tracing.ts'
import { type commonConfig, readConfig } from './config.ts'
import { createService } from './create-service.ts'
import {
  type KnownVariables,
  loadModules,
  openEngines,
  processSchema,
  type ServiceCommand,
  type ServiceDefinition,
  type ServiceDeps,
  urlVariable,
} from './define-service.ts'
import type { Closable, DeadLetterStore, Engine, Stores } from './engine.ts'
import { runMain } from './run-main.ts'
import { serve } from './serve.ts'
import { createTools } from './tools.ts'

/**
 * Runs a service as a process of its own in a cluster: without an argument it serves until a signal comes, with the name of a command it does that
 * and ends. Ends with 1 and a reason when that fails.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const [, , name, ...args] = process.argv
  await runMain(async () => {
    if (name === undefined) return await serveAlone(definition)
    if (name === 'doctor') return await runDoctor(definition, args)
    const commands = commandsOf(definition)
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined)
      throw usageError(`Unknown command ${name}; there is: ${[...Object.keys(commands), 'doctor'].join(', ')}`)
    for (const line of await command(args)) console.log(line)
  })
}

/** Prints the findings. Ends the process with 1 when anything prevents serving, since hanging connections would keep it running. */
async function runDoctor(definition: ServiceDefinition, args: readonly string[]): Promise<void> {
  if (args.length > 0) throw usageError('Usage: doctor')
  const findings = await examineService(definition)
  for (const line of presentFindings(findings)) console.log(line)
  process.exit(exitCodeOf(findings))
}

async function serveAlone(definition: ServiceDefinition): Promise<void> {
  const { config, deps, used } = await openDeps(definition)
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  const tracing = await startTracing({ name: definition.name, endpoint, log: deps.log })
  const service = await createService(definition, { ...deps, drainMs: config.STOP_GRACE_SECONDS * 1_000 })
  const required = Object.fromEntries(
    Object.entries<Engine>(definition.engines).map(([name, engine]) => [
      engine.kind,
      () => engine.health(deps.engines[name] as Closable),
    ]),
  )
  await serve({ service, config, log: deps.log, required, used: [...used, tracing] })
}

/** The parts of a service that a command uses. */
type Excerpt = Required<Pick<ServiceCommand, 'uses' | 'reads'>>

/**
 * The engines that a service gets in a cluster, and the order in which they are closed.
 * @param excerpt for a command; all of it by default
 * @throws ConfigError naming every faulty variable
 */
async function openDeps(definition: ServiceDefinition, excerpt?: Excerpt) {
  const { name } = definition
  const engines: Readonly<Record<string, Engine>> = excerpt
    ? pick(definition.engines, excerpt.uses)
    : definition.engines
  const schema = processSchema(definition)
  const ofEngines = Object.values(engines).flatMap((engine) => Object.keys(engine.variables))
  const wanted = excerpt ? z.object(pick(schema.shape, ['LOG_LEVEL', ...ofEngines, ...excerpt.reads])) : schema
  // A command that does not read the keys calls no service.
  const unused = z.object(identityVariables).parse(newIdentityVariables()[name])
  const config = { ...unused, ...readConfig(wanted) } as KnownVariables<typeof commonConfig> & IdentityKeys
  await loadModules(definition)
  const tools = createTools(name, config)
  const { log, identity } = tools
  const locate: Locate = (service) => String(config[urlVariable(service)] ?? '')
  const client = createServiceClient({ self: name, locate, identity })
  const opened = await openEngines(engines, (engine) => engine.open(config, { service: name, log }))
  const deps: ServiceDeps = { ...tools, engines: opened, config, client, locate }
  return { config, deps, used: [client, ...Object.values(opened).toReversed()] }
}

const pick = <T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

/** The output of a command, line by line. */
type Command = (args: readonly string[]) => Promise<readonly string[]>

function commandsOf(definition: ServiceDefinition): Readonly<Record<string, Command>> {
  const { engines, calls, subscriptions, reseal, commands = {} } = definition
  const { stores, bus } = engines
  /** Opens what a command uses, and closes it after it. */
  const withDeps = async <T>(excerpt: Excerpt, work: (deps: ServiceDeps) => Promise<T>): Promise<T> => {
    const { deps, used } = await openDeps(definition, excerpt)
    try {
      return await work(deps)
    } finally {
      await Promise.all(used.map((one) => one.close()))
    }
  }
  const own = Object.entries(commands).map(([name, { parameters, uses, reads = [], run }]): [string, Command] => [
    name,
    (args) => {
      if (args.length !== parameters.length) throw usageError(`Usage: ${[name, ...parameters].join(' ')}`)
      return withDeps({ uses, reads }, async (deps) => [await run(deps, args)])
    },
  ])
  const toHandle = { uses: Object.keys(engines), reads: [...Object.keys(identityVariables), ...calls.map(urlVariable)] }
  return {
    ...(stores && {
      /** Takes the address of the store, and the secrets by which it is sealed. */
      migrate: () =>
        withDeps({ uses: ['stores'], reads: reseal?.reads ?? [] }, async (deps) => {
          const update = async (): Promise<void> => {
            await (deps.engines.stores as Stores).migrate()
            await reseal?.run(deps)
          }
          // An engine that is unavailable is waited for; one that refuses is a failure, so that a job ends.
          await retryWhileUnavailable({ what: 'migration', act: update, log: deps.log })
          deps.log.info('the store is up to date')
          return []
        }),
    }),
    ...(bus &&
      subscriptions && {
        'dead-letters': (args: readonly string[]) =>
          withDeps(toHandle, async (deps) => {
            const work = { subscriptions: await subscriptions(deps), log: deps.log }
            return await bus.deadLetters(deps.engines.bus as DeadLetterStore, work, args)
          }),
      }),
    ...Object.fromEntries(own),
  }
}

/** A fault in the command that was typed; shown without a stack. */
export const usageError = (message: string): Error => Object.assign(new Error(message), { code: 'USAGE' })
