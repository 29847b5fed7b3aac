import type { Logger } from '@parley/kit'
import type { RedisLink } from './redis-link.ts'
import { isAfter } from './redis-row-id.ts'
import { runScript, script } from './redis-script.ts'
import type { RedisStreamReader } from './redis-stream-reader.ts'
import { asUnavailable } from './redis-unavailable.ts'

/** Signals that the history holds. */
const historyLength = 1_000
/** In place of a name: marks that a replica could not publish a signal. */
const missedMark = ''

/** Names the row before, so that receivers notice a gap. The engine's clock numbers rows, also after it forgot all. */
const publish = script(`
local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local before = tail and tail[1] or '0-0'
return redis.call('XADD', KEYS[1], 'MAXLEN', ${historyLength}, '*', 'm', cjson.encode({before, ARGV[1], ARGV[2]}))
`)

export interface RedisControlOptions {
  readonly link: RedisLink
  readonly reader: RedisStreamReader
  /** Length of the history. */
  readonly key: string
  readonly log: Logger
  onMessage(name: string, payload: unknown): void
  /** Signals may be gone for good. */
  missed(): void
}

/**
 * Control signals over one stream, which is their history: follows it from where it ends now. Each signal names the one before it, so a gap is noticed
 * by the next one, and a history that was lost by looking where it ends.
 */
export function createRedisControl({ link, reader, key, log, onMessage, missed }: RedisControlOptions) {
  let last: string | undefined
  let wasDisconnected = false
  let hasFailed = false
  /** @throws RedisUnavailableError; then everybody is told later that something was missed */
  const send = async (name: string, payload: unknown): Promise<void> => {
    try {
      await link.run((redis) => runScript(redis, publish, [key], [name, JSON.stringify(payload)]))
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  /** Tells everybody that this replica could not publish something, if that is so. @throws RedisUnavailableError */
  const announceFailure = async (): Promise<void> => {
    if (!hasFailed) return
    hasFailed = false
    await send(missedMark, {})
  }
  reader.follow({
    key,
    after: () => last,
    onRows(rows) {
      for (const [id, [, fields = '']] of rows) {
        const message = readMessage(fields)
        if (wasDisconnected || message?.before !== last) missed()
        wasDisconnected = false
        last = id
        if (message?.name === missedMark) missed()
        else if (message !== undefined) onMessage(message.name, message.payload)
      }
    },
    look(found, disconnected) {
      const end = found || '0-0'
      // A receiver cannot know what went by before its first look.
      const isLost = last === undefined || isAfter(last, end)
      if (isLost) last = end
      wasDisconnected ||= disconnected
      // With rows to come it is told together with the gap that may be before them.
      if (isLost || (wasDisconnected && last === end)) {
        wasDisconnected = false
        missed()
      }
      announceFailure().catch((error: unknown) => {
        // The link logs outages; the next look comes soon.
        if (asUnavailable(error) === undefined) log.error({ err: error }, 'missed signals could not be announced')
      })
    },
  })
  return { publish: send, announceFailure }
}

interface Message {
  /** Id of the row before. */
  readonly before: string
  readonly name: string
  readonly payload: unknown
}

/** Undefined for a row of another shape, which counts as a gap. */
function readMessage(fields: string): Message | undefined {
  try {
    const [before, name, payload] = JSON.parse(fields) as [string, string, string]
    return { before, name, payload: JSON.parse(payload) }
  } catch {
    return undefined
  }
}
