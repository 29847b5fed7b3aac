import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CompletionLine } from '@parley/contracts'

/** Silence after which an empty line says that the call still runs. Milliseconds. */
const signOfLifeMs = 15_000

/** Writes lines as they come, those that come together in one write, waits for a slow reader, and leaves the iteration when the reader is gone. */
export async function writeLines(
  response: ServerResponse,
  batches: AsyncIterable<readonly CompletionLine[]>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const alive = setInterval(() => {
    if (!response.writableNeedDrain) response.write('\n')
  }, signOfLifeMs)
  try {
    for await (const lines of batches) {
      alive.refresh()
      if (response.destroyed) return
      if (!response.write(lines.map(lineText).join(''))) await drainedOrClosed(response)
    }
    response.end()
  } finally {
    clearInterval(alive)
  }
}

const lineText = (line: CompletionLine): string => `${JSON.stringify(line)}\n`

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  const settled = new AbortController()
  const { signal } = settled
  // `error` rejects both; a reader that failed is a reader that is gone.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => undefined)
  settled.abort()
}
