import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** One event of a stream: `id` is left out when the stream cannot be resumed. `data` is one line, ready to send. */
export interface StreamFrame {
  readonly id?: number
  readonly data: string
}

const pingMs = 15_000
/** A reader that takes nothing for this long is dropped; it can resume. */
const stalledMs = 30_000

/** Headers of an event stream that no proxy may buffer or change. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/**
 * Writes frames until they end or the reader leaves; comments keep silent streams alive.
 * Waits when the reader is slow, so at most one frame beyond the socket's buffer is held.
 * Ends the iteration (its `return` is called) when the reader is gone. Headers must be set before.
 */
export async function writeEventStream(response: ServerResponse, frames: AsyncIterable<StreamFrame>): Promise<void> {
  response.flushHeaders()
  const ping = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': ping\n\n')
  }, pingMs)
  const left = new AbortController()
  response.once('close', () => left.abort())
  // The reader may have left while the handler prepared the frames; `close` is not emitted again.
  if (response.destroyed) left.abort()
  try {
    for await (const frame of frames) {
      ping.refresh()
      const id = frame.id === undefined ? '' : `id: ${frame.id}\n`
      if (!response.write(`${id}data: ${frame.data}\n\n`)) await drained(response, left.signal)
      if (left.signal.aborted) return
    }
    response.end()
  } finally {
    clearInterval(ping)
  }
}

async function drained(response: ServerResponse, left: AbortSignal): Promise<void> {
  if (left.aborted) return
  try {
    await once(response, 'drain', { signal: AbortSignal.any([left, AbortSignal.timeout(stalledMs)]) })
  } catch {
    response.destroy()
  }
}
