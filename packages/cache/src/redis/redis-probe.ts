import type { Redis } from 'ioredis'
import { runScript, script } from './redis-script.ts'
import { RedisUnavailableError } from './redis-unavailable.ts'

/** The first with exclusive ranges of streams. */
const oldest = { major: 6, minor: 2 }
const probeMs = 60_000

/** By a script, since all important writes are made by scripts. */
const write = script(`return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`)

/**
 * Resolves when the engine is new enough and takes writes.
 * @param key is written to
 * @throws RedisUnavailableError of the kind `version`; what the engine or the connection says
 */
export async function probeEngine(redis: Redis, key: string): Promise<void> {
  const [, version = '', major, minor] = /redis_version:((\d+)\.(\d+)\S*)/.exec(await redis.info('server')) ?? []
  const isOld = Number(major) < oldest.major || (Number(major) === oldest.major && Number(minor) < oldest.minor)
  if (isOld) {
    throw new RedisUnavailableError('version', new Error(`it is ${version}, needed is ${oldest.major}.${oldest.minor}`))
  }
  await runScript(redis, write, [key], [probeMs])
}
