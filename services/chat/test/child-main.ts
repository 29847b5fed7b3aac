import { openMemoryHub } from '@parley/cache'
import { openRedisEngine } from '@parley/cache/redis'
import { createLogger } from '@parley/kit'
import { testIdentity } from '@parley/testing'
import type { ChatStores } from '../src/store/index.ts'
import type { ChildParts } from './chat-process.ts'
import { startReplica } from './given-chat.ts'

/** Chat alone in its process, to be hurt; says its URL on the standard output. */
const log = createLogger('child', 'silent')
const { url, urls, identityVariables, redisUrl, timing, savesNothing } = JSON.parse(process.argv[2] ?? '') as ChildParts
const hub = openMemoryHub({ log })
const own = hub.open('chat')
const { streamLog } = redisUrl === undefined ? own : openRedisEngine({ url: redisUrl, scope: 'chat', log })
const saveNothing = (stores: ChatStores): ChatStores => ({
  ...stores,
  generations: { ...stores.generations, checkpoint: (id, lease) => stores.generations.checkpoint(id, lease) },
})
const options = savesNothing === true ? { timing, stores: saveNothing } : { timing }
const replica = await startReplica({ url, urls, hub, streamLog, options, identity: testIdentity(identityVariables) })
process.stdout.write(`${replica.running.url}\n`)
