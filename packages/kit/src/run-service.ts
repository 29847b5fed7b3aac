import { z } from 'zod'
import { commonConfig, readConfig } from './config.ts'
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
import type { Closable, Engine, Stores } from './engine.ts'
import { isEngineAway } from './engine-away.ts'
import { newId } from './ids.ts'
import { createLogger, type Logger } from './log.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { runMain } from './run-main.ts'
import { serve } from './serve.ts'
import { createServiceClient, type Locate } from './service-client.ts'
import { createTools } from './tools.ts'

/**
 * Runs a service as a process of its own in a cluster: without an argument it serves until a signal comes, with the name of a command it does that
 * and ends. Ends with 1 and a reason when that fails.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const [, , name, ...args] = process.argv
  await runMain(async () => {
    if (name === undefined) return await serveAlone(definition)
    const commands = commandsOf(definition)
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined)
      throw usageError(`Unknown command ${name}; there is: ${Object.keys(commands).join(', ') || 'none'}`)
    for (const line of await command(args)) console.log(line)
  })
}

async function serveAlone(definition: ServiceDefinition): Promise<void> {
  const { config, deps, used } = await openDeps(definition)
  const service = await definition.create({ ...deps, drainMs: config.STOP_GRACE_SECONDS * 1_000 })
  const required = Object.fromEntries(
    Object.entries<Engine>(definition.engines).map(([name, engine]) => [
      engine.kind,
      () => engine.health(deps.engines[name] as Closable),
    ]),
  )
  await serve({ service, config, log: deps.log, required, used })
}

/** What a command uses of its service. */
type Excerpt = Required<Pick<ServiceCommand, 'uses' | 'reads'>>

/**
 * What a service is handed in a cluster, and what has to be closed of it, in that order.
 * @param excerpt for a command; all of it unless told
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
  // A command that does not read the secret calls no service.
  const config = { INTERNAL_SECRET: newId(), ...readConfig(wanted) } as KnownVariables<typeof commonConfig>
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

/** What a command prints, line by line. */
type Command = (args: readonly string[]) => Promise<readonly string[]>

function commandsOf(definition: ServiceDefinition): Readonly<Record<string, Command>> {
  const { name: service, engines, calls, subscriptions, commands = {} } = definition
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
  const toHandle = { uses: Object.keys(engines), reads: ['INTERNAL_SECRET', ...calls.map(urlVariable)] }
  return {
    ...(stores && {
      /** Takes the address of the store and nothing else. */
      async migrate() {
        const { LOG_LEVEL, ...config } = readConfig(
          z.object({ ...stores.variables, LOG_LEVEL: commonConfig.LOG_LEVEL }),
        )
        const log = createLogger(service, LOG_LEVEL)
        await migrateStores(await stores.open(config, { service, log }), log)
        return []
      },
    }),
    ...(bus &&
      subscriptions && {
        'dead-letters': (args: readonly string[]) =>
          withDeps(toHandle, async (deps) => {
            const work = { subscriptions: await subscriptions(deps), log: deps.log }
            return await bus.deadLetters(deps.engines.bus as Closable, work, args)
          }),
      }),
    ...Object.fromEntries(own),
  }
}

/** What is wrong with a command that was typed; shown without a stack. */
export const usageError = (message: string): Error => Object.assign(new Error(message), { code: 'USAGE' })

/**
 * Migrates and closes. An engine that is away is waited for; one that refuses is a failure, so that a job ends.
 * @throws what the engine or a migration says
 */
async function migrateStores(stores: Stores, log: Logger): Promise<void> {
  const refused = new AbortController()
  const act = async (): Promise<void> => {
    try {
      await stores.migrate()
    } catch (error) {
      if (!isEngineAway(error)) refused.abort(error)
      throw error
    }
  }
  try {
    await retryWithBackoff({ what: 'migration', act, log, signal: refused.signal })
    refused.signal.throwIfAborted()
    log.info('the store is up to date')
  } finally {
    await stores.close()
  }
}
