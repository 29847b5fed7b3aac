import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CompletionLine } from '@parley/contracts'

/** Milliseconds of silence after which an empty line shows that the call is still running. */
const signOfLifeMs = 15_000

/** Writes lines immediately. Applies backpressure: resolves once a slow reader can take more, to false when the reader is gone. */
export type WriteBatch = (lines: readonly CompletionLine[]) => boolean | Promise<boolean>

/** Streams lines: `send` writes them, and the response ends when it resolves. */
export async function writeLines(response: ServerResponse, send: (write: WriteBatch) => Promise<void>): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const alive = setInterval(() => {
    if (!response.writableNeedDrain) response.write('\n')
  }, signOfLifeMs)
  try {
    await send((lines) => {
      alive.refresh()
      if (response.destroyed) return false
      return response.write(lines.map(lineText).join('')) || drainedOrClosed(response)
    })
    if (!response.destroyed) response.end()
  } finally {
    clearInterval(alive)
  }
}

const lineText = (line: CompletionLine): string => `${JSON.stringify(line)}\n`

/** @returns false when the reader is gone */
async function drainedOrClosed(response: ServerResponse): Promise<boolean> {
  if (response.destroyed) return false
  const settled = new AbortController()
  const { signal } = settled
  // `error` rejects both promises; a failed reader is treated as gone.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => undefined)
  settled.abort()
  return !response.destroyed
}
