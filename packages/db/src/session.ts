import { vanishedMachine } from '@parley/kit'
import pg from 'pg'
import { connectTimeoutMs } from './connect-timeout.ts'
import type { PostgresOptions, Statement } from './postgres.ts'
import { checkSchemaName } from './schema-name.ts'

type Row = Record<string, unknown>

export type Session = ReturnType<typeof openSession>

export interface SessionOptions extends Pick<PostgresOptions, 'url' | 'schema' | 'log'> {
  /** Called with the payload of each notification on the channel `outbox`. */
  readonly onNotification: (payload: string) => void
  /** Called when a connection is discarded, with whatever belonged to it; the next query has another one. */
  readonly onLost: () => void
}

/** One connection outside the pool, for what belongs to a connection: locks and notifications. Opens nothing until the first query. */
export function openSession(options: SessionOptions) {
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
    /** Connects first if there is no connection. After a failure the connection is discarded, and its locks with it. */
    async query({ values = [], ...statement }: Statement): Promise<readonly Row[]> {
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
    /** Idempotent. */
    async close(): Promise<void> {
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
