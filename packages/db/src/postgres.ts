import { type Logger, onceOnly } from '@parley/kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { connectTimeoutMs } from './connect-timeout.ts'
import { createPostgresHealth } from './postgres-health.ts'
import { checkSchemaName } from './schema-name.ts'

export interface PostgresOptions {
  /** Its `connect_timeout`, in seconds as libpq means it, is how long a server may take to answer a new connection; 2 unless it says so. */
  readonly url: string
  /** Every connection's search_path: a service sees its own tables only. */
  readonly schema: string
  /** Most connections at once; 10 by default. */
  readonly max?: number
  /** Statements may take as long as they do, such as those of migrations; by default 10 s each. */
  readonly unlimited?: boolean
  readonly log: Logger
}

/** A statement. One with a name is parsed once per connection, and always has the same text. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Sends statements in one round trip; the server executes them in order. Resolves to the rows of each. @throws the first failure among them */
export type Send = (...statements: readonly Statement[]) => Promise<readonly (readonly unknown[])[]>

export type PostgresDatabase<DB> = ReturnType<typeof openPostgres<DB>>

const queueTimeoutMs = 5_000
const statementTimeoutMs = 10_000
/** Longer than the server takes for statements that were sent together: without an answer by then, the connection leads nowhere and is replaced. */
const answerTimeoutMs = 20_000
const idleInTransactionMs = 30_000

/**
 * A pool that connects on demand. int8 and numeric are read as numbers, timestamptz as Date, date as `YYYY-MM-DD`.
 * A commit is on disk when it resolves. Connections that are lost are replaced; only the query that was running fails.
 */
export function openPostgres<DB>(options: PostgresOptions) {
  const connectMs = connectTimeoutMs(options.url)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max ?? 10,
    Client: clientWithTimeout(connectMs),
    // The pool's bound is also that of a query that waits for connections in use, which may be many on a busy machine.
    connectionTimeoutMillis: Math.max(queueTimeoutMs, connectMs),
    idleTimeoutMillis: 30_000,
    ...(options.unlimited !== true && { statement_timeout: statementTimeoutMs, query_timeout: answerTimeoutMs }),
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: options.schema,
    keepAlive: true,
    pipeline: true,
    options: `-c search_path=${checkSchemaName(options.schema)} -c synchronous_commit=on -c timezone=UTC`,
    types: { getTypeParser },
  })
  const lost = (error: Error): void => {
    // Only the message: pg attaches the whole connection, secrets included, to the error.
    if (!pool.ending) options.log.warn({ reason: error.message }, 'a connection to PostgreSQL was lost')
  }
  // Without a listener a connection's end would end the process: the pool has one for those that are idle, and none for those in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.once('error', lost)
    client.on('error', () => undefined)
  })
  const health = createPostgresHealth((text) => pool.query(text), options.log)
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (event.level === 'error') health.failed(event.error)
    },
  })
  return {
    db,
    pool,
    /**
     * Runs work on one connection, for few round trips. The work begins and commits by itself: in a transaction a failing statement fails those
     * sent after it, a commit included. When the work throws, its uncommitted changes are rolled back.
     */
    async pipelined<Result>(work: (send: Send) => Promise<Result>): Promise<Result> {
      const client = await pool.connect()
      let usable = true
      try {
        return await work((...statements) => sendAll(client, statements))
      } catch (error) {
        health.failed(error)
        await client.query('rollback').catch(() => {
          usable = false
        })
        throw error
      } finally {
        client.release(!usable)
      }
    },
    /** Rejects when the database is unavailable, too old, or refuses writes. */
    ping: health.ping,
    /** Waits for running queries, then closes every connection. Idempotent. */
    close: onceOnly(async () => {
      if (!pool.ending) await pool.end()
    }),
  }
}

/** A server that does not answer is given up sooner than the pool gives up a query that waits for its turn. */
const clientWithTimeout = (connectionTimeoutMillis: number): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis })
    }
  }

/** Writes all at once, and waits for every answer, also after a failure: the connection is free when it is over. */
async function sendAll(client: pg.PoolClient, statements: readonly Statement[]): Promise<unknown[][]> {
  const { stream } = (client as unknown as pg.Client).connection
  stream.cork()
  const asked = statements.map(({ values, ...statement }) =>
    client.query({ ...statement, values: [...(values ?? [])] }),
  )
  stream.uncork()
  return (await Promise.allSettled(asked)).map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value.rows
  })
}

const { builtins } = pg.types
const parseDate = (text: string): string => text
const utcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/
/** What JavaScript reads by itself it reads several times as fast; the far past and future are left to pg. */
const parseTime = (text: string): unknown =>
  utcTime.test(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : pg.types.getTypeParser(builtins.TIMESTAMPTZ)(text)
const textParsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, parseDate],
  [builtins.TIMESTAMPTZ, parseTime],
])

function getTypeParser(oid: number, format?: string) {
  const parser = format === 'binary' ? undefined : textParsers.get(oid)
  return parser ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text')
}
