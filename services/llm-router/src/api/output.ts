import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Silence after which a comment says that a stream still runs. Milliseconds. */
const signOfLifeMs = 15_000

/** Where an answer is written. */
export interface Output {
  /** Aborts when nobody waits for the answer any more. */
  readonly left: AbortSignal
  /** Status 200 and these headers. */
  begin(headers: Readonly<Record<string, string>>): void
  /** Resolves once the reader has room for more. */
  write(bytes: Uint8Array): Promise<void>
  end(bytes: Uint8Array): Promise<void>
}

/** The caller's own response. */
export function responseOutput(response: ServerResponse): Output {
  const left = new AbortController()
  let alive: NodeJS.Timeout | undefined
  response.once('close', () => {
    clearInterval(alive)
    // The end of every answer closes it, which is no reason to abort anything.
    if (!response.writableFinished) left.abort()
  })
  return {
    left: left.signal,
    begin(headers) {
      if (response.destroyed) return
      response.writeHead(200, headers)
      if (!headers['content-type']?.startsWith('text/event-stream')) return
      alive = setInterval(() => {
        if (!response.writableNeedDrain) response.write(': ping\n\n')
      }, signOfLifeMs)
    },
    async write(bytes) {
      alive?.refresh()
      if (bytes.length === 0 || response.destroyed || response.write(bytes)) return
      // A reader that failed is a reader that is gone.
      await once(response, 'drain', { signal: left.signal }).catch(() => undefined)
    },
    async end(bytes) {
      clearInterval(alive)
      if (!response.destroyed) response.end(bytes)
    },
  }
}
