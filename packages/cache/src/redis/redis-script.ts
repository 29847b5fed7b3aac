import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Lua that the engine runs in one step. */
export interface Script {
  readonly source: string
  readonly sha: string
}

/** Names a script by its hash, as the engine does. */
export const script = (source: string): Script => ({ source, sha: createHash('sha1').update(source).digest('hex') })

/** Runs a script, which is sent whole only to an engine that does not know it, such as one that was restarted. */
export async function runScript(
  redis: Redis,
  { source, sha }: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...values)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return redis.eval(source, keys.length, ...keys, ...values)
  }
}
