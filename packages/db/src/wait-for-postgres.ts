import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@parley/kit'
import pg from 'pg'

const delayMs = { first: 250, most: 5_000 }
const connectTimeoutMs = 2_000
/** SQLSTATEs of a server that is not ready for us yet: starting or stopping, too many connections. */
const notYet = new Set(['57P03', '57P01', '53300'])

/**
 * Resolves once the server takes connections, however long that is; looks again with back-off, every 5 s at most.
 * @throws when it answers and refuses for a reason that waiting does not mend, such as a wrong password
 */
export async function waitForPostgres(options: {
  readonly url: string
  readonly log: Logger
  readonly signal?: AbortSignal
}): Promise<void> {
  for (let delay = delayMs.first; ; delay = Math.min(delay * 2, delayMs.most)) {
    try {
      await connectOnce(options.url)
      return
    } catch (error) {
      if (!mayPass(error)) throw error
      if (delay === delayMs.first) options.log.warn({ reason: (error as Error).message }, 'waiting for PostgreSQL')
    }
    await pause(delay, undefined, options.signal === undefined ? {} : { signal: options.signal })
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  // The failure is that of `connect`; without a listener a second word of it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

/** A code of five characters is the server's answer; anything else means that it was not reached. */
function mayPass(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || notYet.has(code)
}
