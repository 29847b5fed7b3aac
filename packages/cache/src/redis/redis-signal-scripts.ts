import { script } from './redis-script.ts'

/** Messages that the history holds. */
const historyLength = 1_000

/** Names the message before, so that receivers notice a gap. The engine's clock numbers messages, also after it forgot all. */
export const publish = script(`
local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local before = tail and tail[1] or '0-0'
local id = redis.call('XADD', KEYS[1], 'MAXLEN', ${historyLength}, '*', 'm', cjson.encode({before, ARGV[1], ARGV[2]}))
redis.call('PUBLISH', ARGV[3], cjson.encode({id, before, ARGV[1], ARGV[2]}))
return id
`)

/** The last number, and the messages after ARGV[1]; none when ARGV[1] is empty. */
export const readAfter = script(`
local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last = tail and tail[1] or '0-0'
if ARGV[1] == '' or ARGV[1] == last then return {last, {}} end
return {last, redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+')}
`)
