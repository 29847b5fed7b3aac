import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { EventOf } from '@parley/contracts'

/** Milliseconds of silence after which something without a meaning shows that a stream is still running: a comment, or an empty line. */
const signOfLifeMs = 15_000
const signsOfLife: Readonly<Record<string, string>> = {
  'text/event-stream': ': ping\n\n',
  'application/x-ndjson': '\n',
}

/** The destination of an answer. */
export interface Output {
  /** Aborts when the caller has left. */
  readonly left: AbortSignal
  /** Sends status 200 with these headers. */
  begin(headers: Readonly<Record<string, string>>): void
  /** Applies backpressure: resolves once the reader can take more. */
  write(bytes: Uint8Array): Promise<void>
  end(bytes: Uint8Array): Promise<void>
  /**
   * Stores an answer that may be asked for again, with the record of its end, before its last bytes are sent. Absent where nothing is stored.
   * @returns whether both are stored; otherwise neither
   */
  keep?(last: Uint8Array, event: EventOf<'llm-router.request-finished'>): Promise<boolean>
}

/** The caller's own response. */
export function responseOutput(response: ServerResponse): Output {
  const left = new AbortController()
  let alive: NodeJS.Timeout | undefined
  response.once('close', () => {
    clearInterval(alive)
    // Every response closes in the end, which is no reason to abort.
    if (!response.writableFinished) left.abort()
  })
  return {
    left: left.signal,
    begin(headers) {
      if (response.destroyed) return
      response.writeHead(200, headers)
      const sign = signsOfLife[headers['content-type']?.split(';', 1)[0] ?? '']
      if (sign === undefined) return
      alive = setInterval(() => {
        if (!response.writableNeedDrain) response.write(sign)
      }, signOfLifeMs)
    },
    async write(bytes) {
      alive?.refresh()
      if (bytes.length === 0 || response.destroyed || response.write(bytes)) return
      // A failed reader is treated as gone.
      await once(response, 'drain', { signal: left.signal }).catch(() => undefined)
    },
    async end(bytes) {
      clearInterval(alive)
      if (!response.destroyed) response.end(bytes)
    },
  }
}
