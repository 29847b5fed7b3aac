import { Redis } from 'ioredis'

/** A connection attempt, a hand-shake or an answer that takes longer means that the other end is gone. */
const deadAfterMs = 2_000
const maxPauseMs = 1_000

/** A connection that is made at once, comes back for ever, and queues nothing while it is not there. */
export function openConnection(url: string, connectionName: string): Redis {
  return new Redis(url, {
    connectionName,
    protocol: 2,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    // Commands that were under way when the connection broke are rejected at once.
    maxRetriesPerRequest: 0,
    connectTimeout: deadAfterMs,
    socketTimeout: deadAfterMs,
    disableClientInfo: true,
    retryStrategy: (attempt) => pauseBefore(attempt),
  })
}

/** Milliseconds, random so that replicas do not come back all at once. */
function pauseBefore(attempt: number): number {
  const longest = Math.min(maxPauseMs, 50 * 2 ** attempt)
  return longest / 2 + (Math.random() * longest) / 2
}
