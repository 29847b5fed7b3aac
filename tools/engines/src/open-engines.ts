import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEngineConfig } from './config.ts'
import { startInDocker } from './docker/docker-engine.ts'
import { requireDocker } from './docker/require-docker.ts'
import { startNativeKafka } from './native/kafka.ts'
import { startNativeMongo } from './native/mongo.ts'
import type { EngineName, NativeEngine, NativeOptions, OpenEngine } from './native/native-engine.ts'
import { startNativePostgres } from './native/postgres.ts'
import { startNativeRedis } from './native/redis.ts'

/** URLs by engine, without unavailable ones. */
export type EngineUrls = Readonly<Partial<Record<EngineName, string>>>

/** An unavailable engine. */
export interface NotRun {
  readonly name: EngineName
  /** The sources tried, and why each failed. */
  readonly reason: string
}

/** The engines of a test run. */
export type Engines = Awaited<ReturnType<typeof openEngines>>

/** All engines. */
export const engineNames = ['kafka', 'mongo', 'postgres', 'redis'] as const satisfies readonly EngineName[]

type Way = 'environment' | 'docker' | 'native'
type Outcome = { readonly name: EngineName } & (
  | { readonly way: Way; readonly engine: OpenEngine }
  | { readonly reason: string }
)

/**
 * Opens engines for tests concurrently, each from the first source that works: a URL in the environment, a container, a native process.
 * Unavailable ones are listed in `notRun`.
 * @param parent the folder for the data of native engines, in a subfolder that `close` removes
 */
export async function openEngines(names: readonly EngineName[], parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, 'parley-engines-'))
  // Checked once for all engines.
  const docker = requireDocker()
  docker.catch(() => undefined)
  const outcomes = await Promise.all(names.map((name) => openEngine(name, { folder: join(folder, name) }, docker)))
  const opened = outcomes.filter((outcome) => 'engine' in outcome)
  const pick = <T>(of: (one: (typeof opened)[number]) => T) =>
    Object.fromEntries(opened.map((one) => [one.name, of(one)]))
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ engine }) => engine.close()))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return {
    urls: pick(({ engine }) => engine.url),
    /** The source of each engine. */
    sources: pick(({ way }) => way),
    notRun: outcomes.filter((outcome) => 'reason' in outcome),
    /** Calls `handler` with the reason when one ends unexpectedly. */
    onLost(handler: (reason: string) => void): void {
      for (const { engine } of opened) engine.onLost(handler)
    },
    /** Stops the engines that were started, and removes their data. Idempotent. */
    close(): Promise<void> {
      closing ??= close()
      return closing
    },
  }
}

async function openEngine(name: EngineName, options: NativeOptions, docker: Promise<void>): Promise<Outcome> {
  const config = readEngineConfig()
  const url = config[variables[name]]
  if (url !== undefined) return { name, way: 'environment', engine: given(url) }
  if (config.TEST_WITHOUT.includes(name)) return { name, reason: 'excluded by TEST_WITHOUT' }
  const ways = {
    docker: () => docker.then(() => startInDocker(name)),
    native: () => nativeRecipes[name](options),
  }
  const reasons: string[] = []
  for (const way of config.PARLEY_ENGINES === undefined ? (['docker', 'native'] as const) : [config.PARLEY_ENGINES]) {
    try {
      return { name, way, engine: await ways[way]() }
    } catch (error) {
      reasons.push(`${way}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { name, reason: reasons.join('; ') }
}

/** An external engine, which is not managed here. */
const given = (url: string): OpenEngine => ({ url, onLost: () => undefined, close: async () => undefined })

/** The variables with engines' URLs. */
export const variables = {
  kafka: 'TEST_KAFKA_BROKERS',
  mongo: 'TEST_MONGO_URL',
  postgres: 'TEST_POSTGRES_URL',
  redis: 'TEST_REDIS_URL',
} as const satisfies Record<EngineName, string>

/** A run's shared engines are not killed by tests, so that PostgreSQL can run without durability. */
const nativeRecipes: Readonly<Record<EngineName, (options: NativeOptions) => Promise<NativeEngine>>> = {
  kafka: startNativeKafka,
  mongo: startNativeMongo,
  postgres: (options) => startNativePostgres({ ...options, ephemeral: true }),
  redis: startNativeRedis,
}
