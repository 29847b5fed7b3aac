import type { Redis } from 'ioredis'
import type { RedisLink } from './redis-link.ts'

/** Milliseconds for which the engine holds a question that it has no rows for. Its empty answer proves that the connection lives. */
export const blockMs = 500
/** Rows of each stream in one answer. */
const rowsAtOnce = 64

/** A row of a stream: its id, and its fields, each followed by its value. */
export type StreamRow = readonly [id: string, fields: readonly string[]]

/**
 * Asks for new rows of streams, and has the engine hold the question until there are any.
 * @param redis the connection that is held @param link has another one, which interrupts it
 */
export function createBlockingRead(redis: Redis, link: RedisLink, report: (error: unknown) => void) {
  let clientId = 0
  let isReading = false
  let isOutdated = false
  let isInterrupting = false
  return {
    /** To be called on each new connection. */
    async connected(): Promise<void> {
      clientId = await redis.client('ID')
    },
    /** Rows of streams after an id in each; null when there are none, or when it was interrupted. One call at a time. */
    async rows(streams: ReadonlyMap<string, { readonly after: string }>) {
      const ids = [...streams.values()].map(({ after }) => after)
      isOutdated = false
      isReading = true
      try {
        const answer = await redis.xread('COUNT', rowsAtOnce, 'BLOCK', blockMs, 'STREAMS', ...streams.keys(), ...ids)
        return answer as readonly [key: string, rows: readonly StreamRow[]][] | null
      } finally {
        isReading = false
      }
    },
    /** Ends the question that is held, as it names too few streams. Never rejects. */
    async interrupt(): Promise<void> {
      isOutdated = true
      if (isInterrupting) return
      isInterrupting = true
      try {
        // Again, as the engine may hear of it before it hears the question.
        while (isOutdated && isReading) await link.run((commands) => commands.client('UNBLOCK', clientId))
      } catch (error) {
        // The next question follows soon.
        report(error)
      } finally {
        isInterrupting = false
      }
    },
  }
}
