import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEngineConfig } from './config.ts'
import { type DockerEngine, startInDocker } from './docker/docker-engine.ts'
import { requireDocker } from './docker/require-docker.ts'
import { startNativeKafka } from './native/kafka.ts'
import { startNativeMongo } from './native/mongo.ts'
import type { EngineName, NativeEngine, NativeOptions } from './native/native-engine.ts'
import { startNativePostgres } from './native/postgres.ts'
import { startNativeRedis } from './native/redis.ts'

/** Addresses by engine; an engine that could not be had is missing. */
export type EngineUrls = Readonly<Partial<Record<EngineName, string>>>

/** An engine that could not be had. */
export interface NotRun {
  readonly name: EngineName
  /** What was tried and why each way failed. */
  readonly reason: string
}

/** The engines of a test run. */
export interface Engines {
  readonly urls: EngineUrls
  /** Where each one came from. */
  readonly sources: Readonly<Partial<Record<EngineName, Way>>>
  readonly notRun: readonly NotRun[]
  /** Calls `handler` when one ends though nobody asked it to, saying why. */
  onLost(handler: (reason: string) => void): void
  /** Ends those that were started and removes what they kept. Idempotent. */
  close(): Promise<void>
}

/** Every engine that tests run on. */
export const engineNames = ['kafka', 'mongo', 'postgres', 'redis'] as const satisfies readonly EngineName[]

type Way = 'environment' | 'docker' | 'native'
type Started = Pick<DockerEngine | NativeEngine, 'url' | 'onLost' | 'close'>
type Outcome = { readonly name: EngineName } & (
  | { readonly way: Way; readonly engine: Started }
  | { readonly reason: string }
)

/**
 * Opens engines for tests, all at once, each in the first way that works: the address in the environment, a container, a process of our own.
 * One that works in no way is listed in `notRun`.
 * @param parent where native ones keep their data, in a folder that `close` removes
 */
export async function openEngines(names: readonly EngineName[], parent = tmpdir()): Promise<Engines> {
  const folder = await mkdtemp(join(parent, 'parley-engines-'))
  // Asked once for all.
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
    sources: pick(({ way }) => way),
    notRun: outcomes.filter((outcome) => 'reason' in outcome),
    onLost(handler) {
      for (const { engine } of opened) engine.onLost(handler)
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function openEngine(name: EngineName, options: NativeOptions, docker: Promise<void>): Promise<Outcome> {
  const config = readEngineConfig()
  const url = config[variables[name]]
  if (url !== undefined) return { name, way: 'environment', engine: given(url) }
  if (config.TEST_WITHOUT.includes(name)) return { name, reason: 'known not to be had' }
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

/** Somebody else's, who sees to it. */
const given = (url: string): Started => ({ url, onLost: () => undefined, close: async () => undefined })

/** The variable that gives an engine's address. */
export const variables = {
  kafka: 'TEST_KAFKA_BROKERS',
  mongo: 'TEST_MONGO_URL',
  postgres: 'TEST_POSTGRES_URL',
  redis: 'TEST_REDIS_URL',
} as const satisfies Record<EngineName, string>

/** Engines shared by a run are not hurt, so PostgreSQL may be quick. */
const nativeRecipes: Readonly<Record<EngineName, (options: NativeOptions) => Promise<NativeEngine>>> = {
  kafka: startNativeKafka,
  mongo: startNativeMongo,
  postgres: (options) => startNativePostgres({ ...options, ephemeral: true }),
  redis: startNativeRedis,
}
