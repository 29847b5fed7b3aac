import { Writable } from 'node:stream'
import { type CacheEngine, openMemoryHub } from '@parley/cache'
import type { CacheHarness } from '@parley/cache/contract'
import { openRedisEngine } from '@parley/cache/redis'
import { type RedisUses, redisRights } from '@parley/cache/redis-rights'
import { createLogger, type Logger } from '@parley/kit'
import { engineUrl, testKeyPrefix } from '../src/engines/test-engines.ts'
import { type FaultProxy, startFaultProxy } from '../src/processes/fault-proxy.ts'
import { patientMs } from './cache-redis.ts'
import { openRedisUser, type RedisUser } from './redis-user.ts'

/** TTL of a short-lived stream log after its last write, in milliseconds. */
const shortMs = 3_000

/** The in-memory engine. */
export async function openMemoryHarness(): Promise<CacheHarness> {
  const { log, loggedFailures } = countingLog()
  const hub = openMemoryHub({ log })
  const shortLived = openMemoryHub({ log, expireMs: shortMs })
  return {
    openReplica: async (scope) => hub.open(scope),
    openSeverable: async (scope) => ({ engine: hub.open(scope), sever: () => undefined, mend: () => undefined }),
    openShortLived: async () => [shortLived.open('chat'), shortLived.open('realtime')],
    loggedFailures,
    close: async () => {
      await hub.close()
      await shortLived.close()
    },
  }
}

/** The run's Redis, with users that have exactly the rights of services in a deployment. */
export async function openRedisHarness(): Promise<CacheHarness> {
  const { log, loggedFailures } = countingLog()
  const url = engineUrl('redis') ?? ''
  // A new prefix is an empty engine.
  const prefix = testKeyPrefix()
  const engines: CacheEngine[] = []
  const proxies: FaultProxy[] = []
  const users = new Map<string, Promise<RedisUser>>()
  const uses: RedisUses = { streams: true, windowsOf: [{ scope: 'llm-router', start: 'key:' }] }
  const userOf = (scope: string): Promise<RedisUser> => {
    const user = users.get(scope) ?? openRedisUser(url, `${prefix}-${scope}`, redisRights(prefix, scope, uses))
    users.set(scope, user)
    return user
  }
  const open = async (scope: string, expireMs?: number, way = (own: string) => own): Promise<CacheEngine> => {
    const engine = openRedisEngine({
      url: way((await userOf(scope)).url),
      scope,
      log,
      prefix,
      budgetMs: patientMs,
      ...(expireMs === undefined ? {} : { expireMs }),
    })
    engines.push(engine)
    await engine.health()
    return engine
  }
  return {
    openReplica: (scope) => open(scope),
    async openSeverable(scope) {
      const { hostname, port } = new URL(url)
      const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
      proxies.push(proxy)
      return {
        engine: await open(scope, undefined, proxy.through),
        sever() {
          proxy.fault({ kind: 'refuse' })
          proxy.cutNow()
        },
        mend: () => proxy.fault({ kind: 'none' }),
      }
    },
    openShortLived: async () => [await open('chat', shortMs), await open('realtime', shortMs)],
    loggedFailures,
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()))
      await Promise.all(proxies.map((proxy) => proxy.close()))
      for (const user of users.values()) await (await user).close()
    },
  }
}

function countingLog(): { readonly log: Logger; readonly loggedFailures: () => number } {
  let logged = 0
  const counting = new Writable({
    write(_chunk, _encoding, done) {
      logged += 1
      done()
    },
  })
  return { log: createLogger('cache-contract', 'error', counting), loggedFailures: () => logged }
}
