import { script } from './redis-script.ts'

/**
 * Entries that a log holds: the longest answer, ten minutes of forty entries a second, and a quarter more. Beyond it an append is refused
 * with an error.
 */
const maxEntries = 30_000

/*
 * A log is one stream. Entries that were appended together are one row, with the id `<last seq>-0` and the entries as JSON; the mark of a closed
 * log is the row `<last seq>-1`. So the id of the last row tells the log's state, in one key that expires as a whole.
 */
const stateOfTail = `
local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last, closed = 0, false
if tail then
  local seq, mark = string.match(tail[1], '(%d+)-(%d+)')
  last, closed = tonumber(seq), mark == '1'
end
`

/** ARGV: first and last seq, entries, a token of this append, milliseconds to live. Answers 1, or 0 when refused. */
export const append = script(`${stateOfTail}
local first, final = tonumber(ARGV[1]), tonumber(ARGV[2])
if closed then return 0 end
-- A repetition, since no reply came in time.
if tail and last == final and tail[2][4] == ARGV[4] then return 1 end
if first ~= last + 1 then return 0 end
if final > ${maxEntries} then return redis.error_reply('LOGFULL a stream log holds ${maxEntries} entries') end
redis.call('XADD', KEYS[1], ARGV[2] .. '-0', 'e', ARGV[3], 't', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
`)

/** ARGV: milliseconds to live. */
export const close = script(`${stateOfTail}
if closed then return 0 end
redis.call('XADD', KEYS[1], last .. '-1', 'c', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`)

/** The ids of the last rows of all KEYS, empty where there is no stream. */
export const lastIds = script(`
local ids = {}
for index, key in ipairs(KEYS) do
  local tail = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  ids[index] = tail and tail[1] or ''
end
return ids
`)
