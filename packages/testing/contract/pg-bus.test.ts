import { openPgBus } from '@parley/bus'
import { createLogger, newId } from '@parley/kit'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../src/engines/postgres.ts'
import { byTcp, settingsInEffect, vanishedMachine } from './vanished-machine.ts'

const log = createLogger('pg-bus-test', 'silent')
const eventually = { interval: 5 }

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const banned = (userId: string) =>
  ({ type: 'auth.user-banned', id: newId(), at: new Date().toISOString(), v: 1, key: 'k', data: { userId } }) as const

test('an append that commits late is not overtaken, so that no reader can skip it', async () => {
  const bus = await openPgBus({ url: database.url, log })
  const seen: string[] = []
  await bus.subscribe({
    group: 'test.gaps',
    handlers: { 'auth.user-banned': async ({ data }) => void seen.push(data.userId) },
  })
  const slow = new pg.Client({ connectionString: database.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select bus.append($1)', [JSON.stringify([banned('slow')])])
  let published = false
  const publishing = bus.publish([banned('quick')]).then(() => {
    published = true
  })
  const waiting = async (): Promise<boolean> => {
    const { rows } = await slow.query("select 1 from pg_locks where locktype = 'advisory' and not granted")
    return rows.length > 0
  }
  await expect.poll(async () => published || (await waiting()), eventually).toBe(true)
  await slow.query('commit')
  await publishing
  await expect.poll(() => seen, eventually).toEqual(['slow', 'quick'])
  await slow.end()
  await bus.close()
})

test('all consumers share one connection, and of two in one group only one consumes', async () => {
  const bus = await openPgBus({ url: database.url, log, instance: 'sharing' })
  const seen: string[] = []
  const note = async ({ data }: { data: { userId: string } }): Promise<void> => void seen.push(data.userId)
  const subscribe = (group: string) =>
    bus.subscribe({ group, handlers: { 'auth.user-banned': note, 'billing.credit-warning-reached': note } })
  const [endFirst] = await Promise.all([subscribe('test.one'), subscribe('test.one'), subscribe('test.other')])
  await bus.publish([banned('ann')])
  await expect.poll(() => bus.lag(['test.one', 'test.other']), eventually).toEqual({ 'test.one': 0, 'test.other': 0 })
  expect(seen).toEqual(['ann', 'ann'])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    "select distinct pid from pg_stat_activity join pg_locks using (pid) where application_name = 'sharing bus' and locktype = 'advisory'",
  )
  expect(rows).toHaveLength(1)
  await client.end()
  // Whichever of the two it was, the other one takes over.
  await endFirst()
  await bus.publish([banned('bob')])
  await expect.poll(() => seen, eventually).toEqual(['ann', 'ann', 'bob', 'bob'])
  await bus.close()
})

test('the server drops the consumers of a machine that has vanished within 5 s, also with notifications under way', async () => {
  const bus = await openPgBus({ url: byTcp(database.url), log })
  await bus.publish([banned('ann')])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // What the consumers read is told by their own connection then.
  await client.query('alter table bus.log rename to written')
  await client.query(
    `create view bus.log as select position, topic, at, jsonb_set(event, '{data,userId}', to_jsonb(${settingsInEffect}::text)) as event from bus.written`,
  )
  await client.end()
  const seen: unknown[] = []
  const handle = async ({ data }: { data: { userId: string } }): Promise<void> =>
    void seen.push(JSON.parse(data.userId))
  await bus.subscribe({ group: 'test.settings', handlers: { 'auth.user-banned': handle } })
  await expect.poll(() => seen, eventually).toEqual([vanishedMachine])
  await bus.close()
})

test('a batch is handled with the concurrency of its subscription, in order per key', async () => {
  const bus = await openPgBus({ url: database.url, log })
  const labels = Array.from({ length: 12 }, (_value, nth) => `e${nth}`)
  const keyed = labels.map((label, nth) => ({ ...banned(label), key: `key-${nth % 6}` }))
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  let running = 0
  await bus.publish(keyed)
  await bus.subscribe({
    group: 'test.together',
    keysAtOnce: 6,
    handlers: {
      'auth.user-banned': async ({ data }) => {
        running += 1
        if (running === 6) gate.resolve()
        await gate.promise
        seen.push(data.userId)
      },
    },
  })
  await expect.poll(() => seen.length, eventually).toBe(12)
  for (let key = 0; key < 6; key += 1) {
    expect(seen.indexOf(`e${key}`)).toBeLessThan(seen.indexOf(`e${key + 6}`))
  }
  await bus.close()
})

test('a group skips events without a handler, although they do not wake it', async () => {
  const bus = await openPgBus({ url: database.url, log })
  const seen: string[] = []
  await bus.subscribe({
    group: 'test.some',
    handlers: { 'auth.user-banned': async ({ data }) => void seen.push(data.userId) },
  })
  for (let nth = 0; nth < 100; nth += 1) await bus.publish([{ ...banned(`other${nth}`), type: 'auth.user-unbanned' }])
  await expect.poll(async () => (await bus.lag(['test.some']))['test.some'], { ...eventually, timeout: 10_000 }).toBe(0)
  await bus.publish([banned('mine')])
  await expect.poll(() => seen, eventually).toEqual(['mine'])
  await bus.close()
})

test('events older than seven days are removed when new ones arrive', async () => {
  const bus = await openPgBus({ url: database.url, log })
  await bus.publish([banned('old'), banned('old too')])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("update bus.log set at = now() - interval '8 days'")
  await bus.publish([banned('young')])
  await client.query("update bus.log set at = now() - interval '6 days'")
  await bus.publish([banned('new')])
  const { rows } = await client.query("select event #>> '{data,userId}' as label from bus.log order by position")
  expect(rows.map(({ label }) => label)).toEqual(['young', 'new'])
  await client.end()
  await bus.close()
})

test('events with an id are removed once every group has handled them, dead letters at once, and no others', async () => {
  const bus = await openPgBus({ url: database.url, log, retryDelaysMs: [] })
  const seen: string[] = []
  const slow = { open: (): void => undefined, opened: false }
  const handled = async ({ data }: { data: { userId: string } }): Promise<void> => void seen.push(data.userId)
  await bus.subscribe({ group: 'test.quick', handlers: { 'auth.user-banned': handled } })
  await bus.subscribe({
    group: 'test.failing',
    handlers: {
      'auth.user-banned': async ({ data }) => {
        throw new Error(`no such user: ${data.userId}.`)
      },
    },
  })
  await bus.subscribe({
    group: 'test.slow',
    handlers: {
      'auth.user-banned': () =>
        new Promise((resolve) => {
          slow.opened = true
          slow.open = resolve
        }),
    },
  })
  await bus.publish([banned('id-of-ann')])
  await expect.poll(async () => (await bus.deadLetters('test.failing')).length, eventually).toBe(1)
  await expect.poll(() => slow.opened, eventually).toBe(true)
  expect(await bus.forget(['id-of-ann'])).toBe(false)
  expect(await bus.deadLetters('test.failing')).toEqual([])
  slow.open()
  await expect.poll(() => bus.forget(['id-of-ann']), eventually).toBe(true)
  await bus.publish([banned('id-of-bob')])
  expect(await bus.forget(['id-of-ann', ''])).toBe(true)
  await expect.poll(() => seen, eventually).toEqual(['id-of-ann', 'id-of-bob'])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query("select event #>> '{data,userId}' as label from bus.log")
  expect(rows.map(({ label }) => label)).toEqual(['id-of-bob'])
  await client.end()
  slow.open()
  await bus.close()
})

test('a large log is searched for an id in parts, so that no statement takes longer than it may', async () => {
  const bus = await openPgBus({ url: database.url, log })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const end = await bus.subscribe({ group: 'test.quick', handlers: { 'auth.user-banned': async () => undefined } })
  await client.query(
    `insert into bus.log (topic, event) select 'auth', jsonb_build_object('type', 'auth.user-eaten', 'data', case
       when nth in (1, 10000) then 'id-of-ann' else 'other' end) from generate_series(1, 10000) as nth`,
  )
  await bus.publish([banned('last')])
  await expect.poll(() => bus.lag(['test.quick']), { ...eventually, timeout: 60_000 }).toEqual({ 'test.quick': 0 })
  await end()
  const count = async (): Promise<number> => {
    const { rows } = await observer.query(
      `select count(*)::int as left from bus.log where event ->> 'data' = 'id-of-ann'`,
    )
    return rows[0]?.left
  }
  const observer = new pg.Client({ connectionString: database.url })
  await observer.connect()
  await client.query('begin')
  await client.query(
    `select from bus.log where event ->> 'data' = 'id-of-ann' order by position desc limit 1 for update`,
  )
  const forgetting = bus.forget(['id-of-ann'])
  // The first one is gone for good while the last one is still waited for.
  await expect.poll(count, eventually).toBe(1)
  await client.query('commit')
  expect(await forgetting).toBe(true)
  expect(await count()).toBe(0)
  expect((await observer.query('select count(*)::int as kept from bus.log')).rows).toEqual([{ kept: 9_999 }])
  await client.query(`update bus.offsets set position = 0`)
  await client.query(
    `update bus.log set event = event || '{"data": "id-of-bob"}' where position = (select min(position) from bus.log)`,
  )
  expect(await bus.forget(['id-of-bob'])).toBe(false)
  await Promise.all([client.end(), observer.end()])
  await bus.close()
})

test('opening the bus waits for no writer of events, and makes none wait', async () => {
  const bus = await openPgBus({ url: database.url, log })
  const slow = new pg.Client({ connectionString: database.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select bus.append($1)', [JSON.stringify([banned('slow')])])
  const opened = await openPgBus({ url: database.url, log })
  await slow.query('commit')
  await slow.end()
  await Promise.all([bus.close(), opened.close()])
})

test('replicas may open the bus concurrently in an empty database', async () => {
  const open = () => openPgBus({ url: database.url, log, instance: 'replica' })
  const buses = await Promise.all(Array.from({ length: 6 }, open))
  await Promise.all(buses.map((bus) => bus.publish([banned('x')])))
  await Promise.all(buses.map((bus) => bus.close()))
})

test('an event with an id only as part of another value is not removed', async () => {
  const bus = await openPgBus({ url: database.url, log, retryDelaysMs: [] })
  await bus.subscribe({
    group: 'test.failing',
    handlers: {
      'auth.user-banned': async ({ data }) => {
        throw new Error(`no such user: ${data.userId}`)
      },
    },
  })
  await bus.publish([banned('ann'), banned('anna'), banned('ask ann, or dora')])
  const letters = async () => (await bus.deadLetters('test.failing')).map(({ event }) => 'data' in event && event.data)
  await expect.poll(letters, eventually).toHaveLength(3)
  await expect.poll(() => bus.forget(['ann']), eventually).toBe(true)
  expect(await letters()).toEqual([{ userId: 'anna' }])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query("select event #>> '{data,userId}' as label from bus.log order by position")
  expect(rows.map(({ label }) => label)).toEqual(['anna', 'ask ann, or dora'])
  await client.end()
  await bus.close()
})

test('a connection lost while a dead letter is replayed fails only that replay', async () => {
  const bus = await openPgBus({ url: database.url, log, instance: 'replaying', retryDelaysMs: [] })
  const group = 'test.replayed'
  const fail = (): Promise<void> => Promise.reject(new Error('a bug'))
  const stop = await bus.subscribe({ group, handlers: { 'auth.user-banned': fail } })
  await bus.publish([banned('ann')])
  await expect.poll(() => bus.deadLetters(group), eventually).toHaveLength(1)
  await stop()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const cut = async (): Promise<void> => {
    await client.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'replaying bus'",
    )
  }
  await expect(bus.replayDeadLetters({ group, handlers: { 'auth.user-banned': cut } })).rejects.toThrow(
    'connection error',
  )
  expect(await bus.replayDeadLetters({ group, handlers: { 'auth.user-banned': async () => undefined } })).toBe(1)
  await client.end()
  await bus.close()
})
