import { type RedisUses, redisRights } from '@parley/cache/redis-rights'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineUrl, onEngine, testKeyPrefix } from '../src/engines/test-engines.ts'
import { sendCommand } from './cache-redis.ts'
import { openRedisUser, type RedisUser } from './redis-user.ts'

onEngine('redis', () => {
  describe("a service's user in Redis", () => {
    const prefix = testKeyPrefix()
    const url = engineUrl('redis') ?? ''
    const uses: Readonly<Record<string, RedisUses>> = {
      auth: {},
      billing: { windowsOf: [{ scope: 'llm-router', start: 'key:' }] },
      chat: { streams: true },
      realtime: { streams: true },
    }
    const users = new Map<string, RedisUser>()
    const userOf = (service: string): RedisUser => users.get(service) as RedisUser
    /** Replaces `p` by the run's prefix. */
    const tell = (service: string, command: string) =>
      userOf(service).tell(command.replace(/(?<= )p:/g, () => `${prefix}:`))

    beforeAll(async () => {
      for (const [service, used] of Object.entries(uses)) {
        users.set(service, await openRedisUser(url, `${prefix}-${service}`, redisRights(prefix, service, used)))
      }
    })
    afterAll(async () => {
      for (const user of users.values()) await user.close()
      await sendCommand(url, `DEL ${prefix}:cache:auth:x ${prefix}:stream:answer`)
    })

    test.each([
      ['auth', 'GET p:cache:chat:x'],
      ['auth', 'SET p:window:gateway:1000:x 0'],
      ['auth', 'GET p:window:llm-router:60000:key%3Ak1'],
      ['billing', 'GET p:window:llm-router:60000:model%3Am1'],
      ['billing', 'GET p:window:gateway:60000:key%3Ak1'],
      ['auth', 'XADD p:stream:answer * e forged'],
      ['auth', 'XREAD STREAMS p:stream:answer 0'],
      ['auth', 'SUBSCRIBE p:stream:answer:channel'],
      ['chat', 'DEL p:window:auth:1000:x'],
      ['chat', 'EVAL return(redis.call(ARGV[1],KEYS[1])) 1 p:cache:auth:x GET'],
      ['chat', 'EVAL return(redis.call(ARGV[1],ARGV[2])) 0 GET p:cache:auth:x'],
      ['realtime', 'GET p:cache:chat:x'],
      ['realtime', 'PSUBSCRIBE *'],
      ['chat', 'KEYS *'],
      ['chat', 'SCAN 0'],
      ['chat', 'FLUSHALL'],
      ['chat', 'CONFIG GET *'],
      ['chat', 'ACL LIST'],
      ['chat', 'SCRIPT FLUSH'],
    ])('of %s may not %s', async (service, command) => {
      await expect(tell(service, command)).rejects.toThrow(/NOPERM|can't access/)
    })

    test.each([
      ['auth', 'SET p:cache:auth:x 1'],
      ['auth', 'EVAL return(redis.call(ARGV[1],KEYS[1])) 1 p:cache:auth:x GET'],
      ['auth', 'SUBSCRIBE p:signals:hint:chat-changed'],
      ['auth', 'XREAD STREAMS p:signals 0'],
      ['billing', 'GET p:window:llm-router:60000:key%3Ak1'],
      ['chat', 'XADD p:stream:answer * e said'],
      ['realtime', 'XREAD STREAMS p:signals p:stream:answer 0 0'],
      ['realtime', 'SUBSCRIBE p:stream:answer:channel'],
    ])('of %s may %s', async (service, command) => {
      expect(await tell(service, command)).toMatch(/^[+:$*]/)
    })
  })
})
