import { readFile } from 'node:fs/promises'
import { topicOf, writtenEventJson } from '@parley/contracts'
import { type Logger, onceOnly, vanishedMachine } from '@parley/kit'
import pg from 'pg'
import { defaultRetryDelaysMs } from '../deliver.ts'
import type { EventBus } from '../event-bus.ts'
import { startConsumer } from './consumer.ts'
import { createDeadLetters } from './dead-letters.ts'
import { forget } from './forget.ts'
import { createSharedConnection } from './shared-connection.ts'

/** The database of the log, and the retry policy of handlers. */
export interface PgBusOptions {
  readonly url: string
  readonly log: Logger
  /** Named in PostgreSQL's list of connections. */
  readonly instance?: string
  /** Pauses between the tries of a handler; their number plus one is the number of tries. */
  readonly retryDelaysMs?: readonly number[]
}

/**
 * The event bus as a log in PostgreSQL's schema `bus`, which it makes when it is missing: up to four connections for publishing and one
 * for all consumers.
 * @throws when the database cannot be reached
 */
export async function openPgBus({ url, log, instance = 'parley', ...options }: PgBusOptions): Promise<EventBus> {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: `${instance} bus`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
    statement_timeout: 10_000,
    keepAlive: true,
    options: `${vanishedMachine} -c timezone=UTC -c synchronous_commit=on`,
  }
  await migrate(connection)
  const pool = new pg.Pool({ ...connection, max: 4, idleTimeoutMillis: 30_000 })
  const lost = (error: Error): void => {
    // Only the message: pg attaches the whole connection, secrets included, to the error.
    if (!pool.ending) log.warn({ reason: error.message }, 'a connection of the bus was lost')
  }
  // Without a listener a connection's end would end the process: the pool has one for those that are idle, and none for those in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.once('error', lost)
    client.on('error', () => undefined)
  })
  // An offset that a crash of the server takes back makes its events come again, as they may.
  const ofConsumers = { ...connection, options: `${connection.options} -c synchronous_commit=off`, pipeline: true }
  const shared = createSharedConnection(ofConsumers)
  const stops = new Set<() => Promise<void>>()
  return {
    async publish(events) {
      if (events.length === 0) return
      await pool.query({ ...append, values: [`[${events.map(writtenEventJson).join(',')}]`] })
    },
    async subscribe(subscription) {
      const { group, handlers } = subscription
      const topics = [...new Set(Object.keys(handlers).map(topicOf))]
      await pool.query(
        'insert into bus.offsets (consumer_group, topic) select $1, unnest($2::text[]) on conflict do nothing',
        [group, topics],
      )
      const retryDelaysMs = options.retryDelaysMs ?? defaultRetryDelaysMs
      const consumers = topics.map((topic) => startConsumer({ ...subscription, shared, topic, retryDelaysMs, log }))
      const stop = async (): Promise<void> => {
        await Promise.all(consumers.map((stopConsumer) => stopConsumer()))
        stops.delete(stop)
      }
      stops.add(stop)
      return stop
    },
    ...createDeadLetters(pool),
    forget: (ids) => forget(pool, ids),
    async health() {
      await pool.query('select 1')
    },
    async lag(groups) {
      const { rows } = await pool.query<{ group: string; lag: number }>(
        `select o.consumer_group as group, count(l.position)::int as lag
         from bus.offsets o left join bus.log l on l.topic = o.topic and l.position > o.position
         where o.consumer_group = any($1) group by 1`,
        [groups],
      )
      return Object.fromEntries(rows.map(({ group, lag }) => [group, lag]))
    },
    close: onceOnly(async () => {
      await Promise.all([...stops].map((stop) => stop()))
      await shared.close()
      await pool.end()
    }),
  }
}

const append = { name: 'append', text: 'select bus.append($1)' }

async function migrate(connection: pg.ClientConfig): Promise<void> {
  const statements = await readFile(new URL('../../migrations/0001_bus.sql', import.meta.url), 'utf8')
  // No request depends on it yet, while every service connects at once.
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 30_000 })
  // The statement that was running fails with the reason.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Many replicas start at once, and even `if not exists` fails when two make the same thing.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', ['bus:migrate'])
    await client.query(statements)
  } finally {
    await client.end()
  }
}
