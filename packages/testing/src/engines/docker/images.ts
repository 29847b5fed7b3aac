import { setTimeout as delay } from 'node:timers/promises'
import { createLogger, freePort } from '@parley/kit'
import pg from 'pg'
import { readTestConfig } from '../../config.ts'
import { isKafkaReady } from '../native/kafka-ready.ts'
import { kafkaSettings } from '../native/kafka-settings.ts'
import type { EngineName } from '../native/native-engine.ts'
import { ask } from '../native/ports.ts'

const readyTimeoutMs = 120_000

/** How the official image of an engine is run and how it is known to serve. */
export interface ImagePlan {
  readonly image: string
  readonly containerPort: number
  /** The machine's. Chosen beforehand, since Kafka has to tell it to its clients. */
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly url: string
  /** Resolves when it does what clients ask. */
  ready(): Promise<void>
}

/** The official images; `password` is for those that are asked for one. */
export const images: Readonly<Record<EngineName, (password: string) => Promise<ImagePlan>>> = {
  async kafka() {
    const port = await freePort()
    const url = `127.0.0.1:${port}`
    const listen = ['0.0.0.0:9092', '127.0.0.1:9093'] as const
    const settings = kafkaSettings({ data: '/tmp/kafka-logs', listen, advertised: url })
    const environment = Object.entries(settings).map(([name, value]) => [variableOf(name), value])
    return {
      image: readTestConfig().KAFKA_IMAGE,
      containerPort: 9092,
      port,
      environment: {
        ...Object.fromEntries(environment),
        KAFKA_HEAP_OPTS: '-Xmx512m',
        KAFKA_JVM_PERFORMANCE_OPTS: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
      },
      url,
      ready: () => until(() => isKafkaReady(url)),
    }
  },
  async mongo() {
    const port = await freePort()
    const url = `mongodb://127.0.0.1:${port}`
    return {
      image: readTestConfig().MONGO_IMAGE,
      containerPort: 27017,
      port,
      environment: {},
      url,
      ready: () => until(() => pingMongo(url)),
    }
  },
  async postgres(password) {
    const port = await freePort()
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']
    return {
      image: readTestConfig().POSTGRES_IMAGE,
      containerPort: 5432,
      port,
      environment: { POSTGRES_PASSWORD: password },
      command: ['postgres', ...unsafe.flatMap((setting) => ['-c', setting])],
      url,
      ready: () => until(() => connectToPostgres(url)),
    }
  },
  async redis() {
    const port = await freePort()
    const command = ['redis-server', '--save', '', '--appendonly', 'no']
    const ready = () => until(() => ask(port, 'PING\r\n'))
    return {
      image: readTestConfig().REDIS_IMAGE,
      containerPort: 6379,
      port,
      environment: {},
      command,
      url: `redis://127.0.0.1:${port}`,
      ready,
    }
  },
}

/** The image's way to be told a setting. */
const variableOf = (setting: string): string => `KAFKA_${setting.toUpperCase().replaceAll('.', '_')}`

async function connectToPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

async function pingMongo(url: string): Promise<void> {
  // Loaded here, since its client is large.
  const { openMongo } = await import('@parley/db/mongo')
  const mongo = openMongo({ url: `${url}/admin`, log: createLogger('test-mongo', 'silent') })
  try {
    await mongo.ping()
  } finally {
    await mongo.close()
  }
}

async function until(ready: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + readyTimeoutMs
  for (;;) {
    try {
      await ready()
      return
    } catch (error) {
      if (Date.now() > end) throw error
      await delay(100)
    }
  }
}
