import type { UserUpdate } from '@parley/contracts'
import { createParser } from 'eventsource-parser'

const isUserUpdate = (value: unknown): value is UserUpdate =>
  typeof value === 'object' &&
  value !== null &&
  (value as UserUpdate).type === 'user:update' &&
  typeof (value as UserUpdate).isBanned === 'boolean' &&
  typeof (value as UserUpdate).isAdmin === 'boolean'

/** The change that one event carries, or null for what this version does not know. */
export function parseUserUpdate(data: string): UserUpdate | null {
  try {
    const value: unknown = JSON.parse(data)
    return isUserUpdate(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Reads an event stream of user updates to its end. `onSign` is told of every piece of it, comments included, as a sign of life.
 * Throws what the stream throws.
 */
export async function readUserUpdates(
  body: ReadableStream<Uint8Array>,
  onUpdate: (update: UserUpdate) => void,
  onSign: () => void,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      const update = parseUserUpdate(data)
      if (update) onUpdate(update)
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onSign()
    parser.feed(value)
  }
}

/** Milliseconds before the next attempt: 500 doubling to 5000, spread so that many tabs do not come back at once. `random` is 0 to 1. */
export const reconnectDelay = (failures: number, random: number): number =>
  Math.round(Math.min(5000, 500 * 2 ** Math.min(failures, 4)) * (0.5 + random / 2))
