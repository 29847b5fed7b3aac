import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUniqueViolation, migrate, openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger } from '@parley/kit'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../src/engines/postgres.ts'
import { startFaultProxy } from '../src/processes/fault-proxy.ts'

const log = createLogger('postgres-test', 'silent')
const eventually = { interval: 10 }

let database: TestDatabase
const opened: PostgresDatabase<unknown>[] = []
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()))
  await database.drop()
})

function open(schema: string, url = database.url, max = 2): PostgresDatabase<unknown> {
  const postgres = openPostgres<unknown>({ url, schema, max, log })
  opened.push(postgres)
  return postgres
}

describe('openPostgres', () => {
  test('reads numbers, times and dates as their JavaScript types', async () => {
    const { db } = open('shop')
    const { rows } = await sql`
      select 9007199254740991::int8 as large, sum(3::int8) as total, timestamptz '2026-01-02 03:04:05+02' as at,
        date '2026-01-02' as day, '{"a":[1]}'::jsonb as document, null::int8 as nothing
    `.execute(db)
    expect(rows).toEqual([
      {
        large: 9007199254740991,
        total: 3,
        at: new Date('2026-01-02T01:04:05Z'),
        day: '2026-01-02',
        document: { a: [1] },
        nothing: null,
      },
    ])
  })

  test('uses its own schema, commits to disk and cancels slow statements', async () => {
    const { db } = open('shop')
    const setting = async (name: string) =>
      (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value
    expect(await setting('search_path')).toBe('shop')
    expect(await setting('synchronous_commit')).toBe('on')
    expect(await setting('statement_timeout')).toBe('10s')
    expect(await setting('idle_in_transaction_session_timeout')).toBe('30s')
  })

  test('lets a query wait three seconds for a busy connection', async () => {
    const { db } = open('shop', database.url, 1)
    const [, waited] = await Promise.all([
      sql`select pg_sleep(3)`.execute(db),
      sql<{ answer: number }>`select 42 as answer`.execute(db),
    ])
    expect(waited.rows).toEqual([{ answer: 42 }])
  })

  test('gives up on a server that accepts connections but does not respond', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { db } = open('shop', `postgres://parley@127.0.0.1:${port}/parley`)
    await expect(sql`select 1`.execute(db)).rejects.toThrow('timeout expired')
    silent.close()
  })

  test('recovers from the loss of its connections', async () => {
    const postgres = open('shop')
    await postgres.ping()
    const other = open('other')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shop'`.execute(other.db)
    await expect.poll(() => postgres.pool.totalCount, eventually).toBe(0)
    await postgres.ping()
  })

  test('a connection lost between two statements fails only the next one and its transaction', async () => {
    const { db, ping } = open('shop')
    const other = open('other')
    const transaction = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'shop'`.execute(
        other.db,
      )
      await sql`select 1`.execute(tx)
    })
    await expect(transaction).rejects.toThrow('Client has encountered a connection error')
    await ping()
  })

  test('rejects while the database is unavailable, even if it only hangs', async () => {
    const { hostname, port } = new URL(database.url)
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
    const postgres = open('shop', proxy.through(database.url))
    proxy.fault({ kind: 'refuse' })
    await expect(postgres.ping()).rejects.toThrow()
    proxy.fault({ kind: 'stall' })
    await expect(postgres.ping()).rejects.toThrow('timeout')
    proxy.cutNow()
    proxy.fault({ kind: 'none' })
    await postgres.ping()
    await postgres.close()
    await postgres.close()
    await proxy.close()
  })

  test('gives up a connection whose server has vanished without a word, and what was asked on it', async () => {
    const { hostname, port } = new URL(database.url)
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
    const { db, pool, ping } = open('shop', proxy.through(database.url))
    await ping()
    proxy.fault({ kind: 'stall' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const asked = expect(sql`select 1`.execute(db)).rejects.toThrow('timeout')
    await expect.poll(() => proxy.observed, eventually).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(20_000)
    await asked
    expect(pool.totalCount).toBe(0)
    proxy.fault({ kind: 'none' })
    await ping()
    await proxy.close()
  })

  test('pipelined statements run in order, and a failing one also fails those after it, including a commit', async () => {
    const { db, pipelined } = open('public', database.url, 1)
    await sql`create table t (n int check (n > 0))`.execute(db)
    const begin = { text: 'begin' }
    const commit = { text: 'commit' }
    const insert = (n: number) => ({ name: 'insert', text: 'insert into t values ($1) returning n', values: [n] })
    const written = await pipelined((send) => send(begin, insert(1), insert(2), commit))
    expect(written).toEqual([[], [{ n: 1 }], [{ n: 2 }], []])
    await expect(pipelined((send) => send(begin, insert(3), insert(0), insert(4), commit))).rejects.toThrow(/check/)
    const abandoned = pipelined(async (send) => {
      await send(begin, insert(5))
      throw new Error('changed my mind')
    })
    await expect(abandoned).rejects.toThrow('changed my mind')
    expect((await sql`select n from t order by n`.execute(db)).rows).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('a lost connection fails only the statements pipelined on it', async () => {
    const { db, pipelined, ping } = open('shop')
    const other = open('other')
    const work = pipelined(async (send) => {
      const [[backend]] = (await send({ text: 'select pg_backend_pid() as pid' })) as [[{ pid: number }]]
      const slow = send({ text: 'select pg_sleep(60)' }, { text: 'select 1' })
      // Await both: the connection may be lost before its termination is acknowledged.
      await Promise.all([slow, sql`select pg_terminate_backend(${backend.pid})`.execute(other.db)])
    })
    await expect(work).rejects.toThrow(/terminat/)
    await ping()
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })

  test('refuses a schema name with special characters', () => {
    expect(() => open('a -c x=y')).toThrow(RangeError)
  })

  test('distinguishes duplicates from other failures', async () => {
    const { db } = open('public')
    await sql`create table t (a int constraint t_a unique, b int check (b > 0))`.execute(db)
    await sql`insert into t values (1, 1)`.execute(db)
    const duplicate: unknown = await sql`insert into t values (1, 1)`.execute(db).catch((error: unknown) => error)
    const refused: unknown = await sql`insert into t values (2, 0)`.execute(db).catch((error: unknown) => error)
    expect(isUniqueViolation(duplicate)).toBe(true)
    expect(isUniqueViolation(duplicate, 't_a')).toBe(true)
    expect(isUniqueViolation(duplicate, 'another')).toBe(false)
    expect(isUniqueViolation(refused)).toBe(false)
    expect(isUniqueViolation(undefined)).toBe(false)
  })
})

describe('migrate', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
    await writeFile(join(dir, '0001_goods.sql'), 'create table goods (id text primary key);')
  })
  afterEach(() => rm(dir, { recursive: true }))
  const run = (schema: string) => migrate({ url: database.url, schema, dir, log })
  const tables = async (schema: string): Promise<string[]> => {
    const query = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schema}`
    return (await query.execute(open('shop').db)).rows.map(({ name }) => name).toSorted()
  }
  const common = ['inbox', 'migrations', 'outbox', 'shared_migrations']

  test('replicas of several services may migrate concurrently and repeatedly', async () => {
    const schemas = ['shop', 'stock', 'shop', 'stock', 'shop', 'shop', 'stock', 'till']
    await Promise.all(schemas.map(run))
    await run('shop')
    for (const schema of ['shop', 'stock', 'till']) expect(await tables(schema)).toEqual(['goods', ...common])
  })

  test('runs new migrations in numeric order', async () => {
    await run('shop')
    await writeFile(join(dir, '0010_third.sql'), 'alter table second rename to third;')
    await writeFile(join(dir, '0002_second.sql'), 'create table second (); alter table goods add column price int8;')
    await run('shop')
    expect(await tables('shop')).toEqual(['goods', ...common.slice(0, 3), 'shared_migrations', 'third'])
  })

  test('a failing file leaves the schema unchanged', async () => {
    await run('shop')
    await writeFile(join(dir, '0002_fails.sql'), 'create table half (); select 1 / 0;')
    await expect(run('shop')).rejects.toThrow('division by zero')
    expect(await tables('shop')).toEqual(['goods', ...common])
    await writeFile(join(dir, '0002_fails.sql'), 'create table whole ();')
    await run('shop')
    expect(await tables('shop')).toEqual(['goods', ...common, 'whole'])
  })

  test('refuses a new file that precedes one already run', async () => {
    await run('shop')
    await writeFile(join(dir, '0000_late.sql'), 'create table late ();')
    await expect(run('shop')).rejects.toThrow()
    await expect(migrate({ url: database.url, schema: 'shop', dir: join(dir, 'missing'), log })).rejects.toThrow()
  })
})
