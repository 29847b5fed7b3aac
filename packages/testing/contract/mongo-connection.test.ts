import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MongoStep, migrateMongo, openMongo, openMongoOutbox } from '@parley/db/mongo'
import { type NativeEngine, startNativeMongo } from '@parley/engines'
import { createLogger, newId } from '@parley/kit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { onEngine } from '../src/engines/test-engines.ts'
import { rememberingLog } from './cache-redis.ts'

const silent = createLogger('db-contract', 'silent')
const eventually = { timeout: 30_000, interval: 50 }

onEngine('mongo', () => {
  describe('a connection to MongoDB', () => {
    let folder: string
    let server: NativeEngine
    const ends: (() => Promise<void>)[] = []
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-mongo-'))
      server = await startNativeMongo({ folder: join(folder, 'mongo') })
    })
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })
    const url = () => `${server.url}/test_${newId()}`
    const open = (at: string, log = silent, operationMs?: number) => {
      const database = openMongo({ url: at, log, ...(operationMs !== undefined && { operationMs }) })
      ends.push(() => database.close())
      return database
    }
    const reach = (database: { ping(): Promise<void> }) => expect.poll(() => isReached(database), eventually)

    it('is opened in the background once there is a server, and reopened after the server has died', async () => {
      await server.kill('SIGTERM')
      const { log, lines } = rememberingLog()
      const database = open(url(), log)
      await expect(database.ping()).rejects.toThrow()
      await expect(database.connection.collection('things').insertOne({ nth: 0 })).rejects.toThrow(
        'buffering timed out',
      )
      await server.start()
      await reach(database).toBe(true)
      const things = await database.collection<{ nth: number }>('things')
      await things.insertOne({ nth: 1 })
      await server.kill('SIGKILL')
      await expect(things.findOne({ nth: 1 })).rejects.toThrow()
      await server.start()
      await reach(database).toBe(true)
      expect(await things.countDocuments({ nth: 1 })).toBe(1)
      expect(lines[0]).toBe('not available yet; retrying')
    })

    it('refuses a server that is too old, with its version', async () => {
      const old = await startNativeMongo({ folder: join(folder, 'old'), major: 5 })
      ends.push(() => old.close())
      const database = open(`${old.url}/test`)
      await expect
        .poll(() => database.ping().catch((error: Error) => error.message), eventually)
        .toBe('MongoDB 5.0.0 is older than 6')
    })

    it('gives up on a hanging server, and recovers once it answers again', async () => {
      const database = open(url())
      await reach(database).toBe(true)
      server.freeze()
      try {
        // The process may answer once more before it is suspended.
        await reach(database).toBe(false)
      } finally {
        server.thaw()
      }
      await reach(database).toBe(true)
    })

    it('fails requests on a connection that is being closed, and reconnects', async () => {
      const sockets: Socket[] = []
      const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
      subscribe('net.client.socket', note)
      ends.push(async () => void unsubscribe('net.client.socket', note))
      const database = open(url())
      await reach(database).toBe(true)
      const connected = sockets.filter(({ remotePort }) => remotePort === Number(new URL(server.url).port))
      expect(connected.length).toBeGreaterThan(1)
      // The sockets emit `close` only after this turn of the event loop.
      for (const socket of connected) socket.destroy()
      await expect(database.ping()).rejects.toThrow('closed')
      await reach(database).toBe(true)
    })

    it('fails a write that a hanging server has only received in part', async () => {
      const database = open(url(), silent, 1_000)
      await reach(database).toBe(true)
      const things = await database.collection<{ text: string }>('things')
      const text = 'x'.repeat(10_000_000)
      server.freeze()
      try {
        await expect(things.insertMany([{ text }, { text }, { text }, { text }])).rejects.toThrow()
      } finally {
        server.thaw()
      }
      await reach(database).toBe(true)
    })

    it('reads the server’s time, even if the local clock is wrong', async () => {
      const database = open(url())
      const before = Date.now()
      const now = await database.now()
      expect(now.getTime()).toBeGreaterThan(before - 5_000)
      expect(now.getTime()).toBeLessThan(Date.now() + 5_000)
    })

    it('migrates once when several replicas do it concurrently, and refuses a foreign history', async () => {
      const at = url()
      let runs = 0
      const step = (name: string): MongoStep => ({
        name,
        async run({ collection }) {
          runs += 1
          await (await collection('things')).createIndexes([{ name, key: { [name]: 1 } }])
        },
      })
      const [first, second] = [step('0001_first'), step('0002_second')]
      const migrate = (...steps: MongoStep[]) => migrateMongo({ url: at, steps, log: silent })
      await Promise.all([migrate(first), migrate(first), migrate(first)])
      expect(runs).toBe(1)
      await migrate(first, second)
      expect(runs).toBe(2)
      await expect(migrate(second)).rejects.toThrow('0001_first')
      await expect(migrate(first, step('0003_third'))).rejects.toThrow('0002_second')
      expect(runs).toBe(2)
    })

    it('leaves the steps of a later version in place when an earlier one is started again', async () => {
      const at = url()
      const step = (name: string): MongoStep => ({ name, run: async () => undefined })
      await migrateMongo({ url: at, steps: [step('0001_first'), step('0002_second')], log: silent })
      await migrateMongo({ url: at, steps: [step('0001_first')], log: silent })
      const database = open(at)
      const ran = await (await database.collection<{ _id: string }>('migrations')).find().sort({ _id: 1 }).toArray()
      expect(ran.map(({ _id }) => _id)).toEqual(['0001_first', '0002_second'])
    })

    it('lets another replica relay an outbox whose relay died', async () => {
      const at = url()
      const [one, other] = [openMongoOutbox(open(at), 'things'), openMongoOutbox(open(at), 'things')]
      const gate = Promise.withResolvers<void>()
      const inside = Promise.withResolvers<void>()
      const working = one.exclusively(async () => {
        inside.resolve()
        await gate.promise
      })
      await inside.promise
      // Its process is gone: the lock is neither released nor extended.
      await ends.shift()?.()
      await expect.poll(() => other.exclusively(async () => undefined), { interval: 200 }).toBe(true)
      gate.resolve()
      await working
    })
  })
})

const isReached = (database: { ping(): Promise<void> }): Promise<boolean> =>
  database.ping().then(
    () => true,
    () => false,
  )
