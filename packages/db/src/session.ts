import type { Logger } from '@parley/kit'
import pg from 'pg'
import { connectTimeoutMs } from './connect-timeout.ts'
import type { Statement } from './postgres.ts'
import { checkSchemaName } from './schema-name.ts'

type Row = Record<string, unknown>

/** One connection outside the pool, for what belongs to a connection: locks and notifications. */
export interface Session {
  /** Connects first if there is no connection. After a failure the connection is discarded, and its locks with it. */
  query(statement: Statement): Promise<readonly Row[]>
  /** Idempotent. */
  close(): Promise<void>
}

/** The database and schema of a session. */
export interface SessionOptions {
  readonly url: string
  readonly schema: string
  readonly log: Logger
  /** Called with the payload of each notification on the channel `outbox`. */
  readonly onNotification: (payload: string) => void
  /** Called when a connection is discarded, with whatever belonged to it; the next query has another one. */
  readonly onLost: () => void
}

/**
 * The server drops a connection to a machine that vanished within 5 s, so that another replica can take over. Keepalives are not sent while data such as a
 * notification is unacknowledged: the last one limits that.
 */
const vanishedMachine =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2 -c tcp_user_timeout=5000'

/** Opens nothing until the first query. */
export function openSession(options: SessionOptions): Session {
  let current: Promise<pg.Client> | undefined
  let closed = false
  const giveUp = async (lost: Promise<pg.Client>): Promise<void> => {
    if (current === lost) {
      current = undefined
      options.onLost()
    }
    // A connection that can no longer be opened or ended is gone already.
    await lost.then((client) => client.end()).catch(() => undefined)
  }
  const open = (): Promise<pg.Client> => {
    const opening: Promise<pg.Client> = connect(options, () => void giveUp(opening))
    return opening
  }
  return {
    async query({ values = [], ...statement }) {
      if (closed) throw new Error('The session is closed')
      current ??= open()
      const used = current
      try {
        return (await (await used).query({ ...statement, values: [...values] })).rows as Row[]
      } catch (error) {
        void giveUp(used)
        throw error
      }
    },
    async close() {
      closed = true
      if (current !== undefined) await giveUp(current)
    },
  }
}

async function connect(options: SessionOptions, lost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeoutMs(options.url),
    query_timeout: 10_000,
    application_name: `${options.schema} outbox`,
    keepAlive: true,
    options: `-c search_path=${checkSchemaName(options.schema)} ${vanishedMachine}`,
  })
  client.on('error', (error) => {
    options.log.warn({ reason: error.message }, 'the connection of the outbox was lost')
    lost()
  })
  client.on('notification', ({ payload }) => options.onNotification(payload ?? ''))
  try {
    await client.connect()
    await client.query('listen outbox')
    return client
  } catch (error) {
    // Connected all the same, where the server refuses to listen, as a standby does.
    void client.end().catch(() => undefined)
    throw error
  }
}
