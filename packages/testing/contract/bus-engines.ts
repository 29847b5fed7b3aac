import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type EventBus, openPgBus } from '@parley/bus'
import type { BusHarness } from '@parley/bus/contract'
import { createLogger } from '@parley/kit'
import pg from 'pg'
import { startFaultProxy } from '../src/fault-proxy.ts'
import { testDatabase } from '../src/postgres.ts'

const log = createLogger('bus-contract', 'silent')

/** Opens a bus on an engine by its address; also used by the processes that tests kill. */
export const busOpeners: Readonly<Record<string, (address: string) => Promise<EventBus>>> = {
  PostgreSQL: (url) => openPgBus({ url, log, retryDelaysMs: [1, 1, 1, 1] }),
}

/** How a test gets an empty log on each engine. */
export const busEngines: Readonly<Record<string, () => Promise<BusHarness>>> = {
  PostgreSQL: openPostgresHarness,
}

async function openPostgresHarness(): Promise<BusHarness> {
  const database = await testDatabase()
  const ends: (() => Promise<unknown>)[] = []
  const open = async (url: string): Promise<EventBus> => {
    const bus = await openPgBus({ url, log, retryDelaysMs: [1, 1, 1, 1] })
    ends.push(() => bus.close())
    return bus
  }
  return {
    openReplica: () => open(database.url),
    async openSevered() {
      const { hostname, port } = new URL(database.url)
      const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
      ends.push(() => proxy.close())
      const through = new URL(database.url)
      through.host = `127.0.0.1:${proxy.port}`
      const bus = await open(through.href)
      return {
        bus,
        sever() {
          proxy.fault({ kind: 'refuse' })
          proxy.cutNow()
        },
        restore: () => proxy.fault({ kind: 'none' }),
      }
    },
    async startHangingConsumer(group) {
      const consumer = startHangingConsumer('PostgreSQL', database.url, group)
      ends.push(async () => consumer.kill())
      return consumer
    },
    async appendUnchecked(topic, event) {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query('insert into bus.log (topic, event) values ($1, $2)', [topic, JSON.stringify(event)])
      await client.end()
    },
    async close() {
      for (const end of ends.toReversed()) await end()
      await database.drop()
    },
  }
}

function startHangingConsumer(engine: string, address: string, group: string) {
  const script = fileURLToPath(new URL('./hanging-consumer.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, engine, address, group], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const handling = new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) createInterface(child.stdout).once('line', resolve)
    child.once('exit', () => reject(new Error('The consumer ended')))
  })
  // Its end is expected once the test has seen it handle something.
  handling.catch(() => undefined)
  return { handling, kill: () => child.kill('SIGKILL') }
}
