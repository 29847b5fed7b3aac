import { createRequire } from 'node:module'

interface RequestQueue {
  readonly pending: readonly unknown[]
  /** Time of day in ms until which the broker wants no requests. */
  readonly throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests(): void
}

/** Between two looks at requests that wait for others to be answered. */
const lookMs = 10

/**
 * Lets the library's request queue set its timer only when a request waits.
 * As it comes, each connection sets it over and over, for a time that lies in the past: Node warns of the negative timeout, and
 * every idle connection wakes the process a thousand times a second.
 */
export function calmRequestQueues(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue
  }
  Object.assign(prototype, { scheduleCheckPendingRequests })
}

function scheduleCheckPendingRequests(this: RequestQueue): void {
  if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return
  const waitMs = Math.max(this.throttledUntil - Date.now(), lookMs)
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null
    this.checkPendingRequests()
  }, waitMs)
}
