import { type EventBus, openPgBus } from '@parley/bus'
import type { BusHarness } from '@parley/bus/contract'
import type { EngineName } from '@parley/engines'
import { createLogger } from '@parley/kit'
import pg from 'pg'
import { testDatabase } from '../src/engines/postgres.ts'
import { startFaultProxy } from '../src/processes/fault-proxy.ts'
import { startHangingConsumer } from './hanging-process.ts'
import { openKafkaHarness, openMortalReplica } from './kafka-engine.ts'

const log = createLogger('bus-contract', 'silent')

/** Opens a bus on an engine by address, for processes that tests kill. */
export const busOpeners: Readonly<Record<string, (address: string) => Promise<EventBus>>> = {
  PostgreSQL: (url) => openPgBus({ url, log, retryDelaysMs: [1, 1, 1, 1] }),
  Kafka: openMortalReplica,
}

/** A row of the engine table. */
export interface BusEngine {
  /** The engine of the run that it needs. */
  readonly on: EngineName
  /** Opens an empty log for a test. @param url of `engineUrl` */
  openHarness(url: string): Promise<BusHarness>
}

/** The engines of the event bus. All run the whole suite, without deviations. */
export const busEngines: Readonly<Record<string, BusEngine>> = {
  PostgreSQL: { on: 'postgres', openHarness: openPostgresHarness },
  Kafka: { on: 'kafka', openHarness: openKafkaHarness },
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
      const bus = await open(proxy.through(database.url))
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
