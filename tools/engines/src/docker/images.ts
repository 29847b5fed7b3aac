import { freePort, newId } from '@parley/kit'
import { readEngineConfig } from '../config.ts'
import { isKafkaReady } from '../native/kafka-ready.ts'
import { kafkaSettings } from '../native/kafka-settings.ts'
import type { EngineName } from '../native/native-engine.ts'

/** How the official image of an engine is run. */
export interface ImagePlan {
  readonly image: string
  readonly port: number | { readonly container: number; readonly host: number }
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  /** What it logs once it serves, or a command inside the container that succeeds then; without either its port must listen. */
  readonly readyMessage?: string
  readonly healthCheck?: readonly string[]
  urlAt(host: string, port: number): string
  /** Resolves when it does what clients ask, for one that listens long before; asked again after every refusal. */
  ready?(url: string): Promise<void>
}

/** The official images. */
export const images: Readonly<Record<EngineName, () => Promise<ImagePlan>>> = {
  async kafka() {
    // Chosen beforehand, since the broker has to tell it to its clients.
    const host = await freePort()
    const listen = ['0.0.0.0:9092', '127.0.0.1:9093'] as const
    const settings = kafkaSettings({ data: '/tmp/kafka-logs', listen, advertised: `127.0.0.1:${host}` })
    return {
      image: readEngineConfig().KAFKA_IMAGE,
      port: { container: 9092, host },
      environment: {
        ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [variableOf(name), value])),
        KAFKA_HEAP_OPTS: '-Xmx512m',
        KAFKA_JVM_PERFORMANCE_OPTS: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
      },
      readyMessage: 'Kafka Server started',
      urlAt: () => `127.0.0.1:${host}`,
      ready: isKafkaReady,
    }
  },
  mongo: async () => ({
    image: readEngineConfig().MONGO_IMAGE,
    port: 27017,
    urlAt: (host, port) => `mongodb://${host}:${port}`,
  }),
  async postgres() {
    const password = newId()
    const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']
    return {
      image: readEngineConfig().POSTGRES_IMAGE,
      port: 5432,
      environment: { POSTGRES_PASSWORD: password },
      command: ['postgres', ...settings.flatMap((setting) => ['-c', setting])],
      // While it makes its first database it listens inside the container, and at no address.
      healthCheck: ['pg_isready', '--host=127.0.0.1'],
      urlAt: (host, port) => `postgres://postgres:${password}@${host}:${port}/postgres`,
    }
  },
  redis: async () => ({
    image: readEngineConfig().REDIS_IMAGE,
    port: 6379,
    command: ['redis-server', '--save', '', '--appendonly', 'no'],
    readyMessage: 'Ready to accept connections',
    urlAt: (host, port) => `redis://${host}:${port}`,
  }),
}

/** The image's way to be told a setting. */
const variableOf = (setting: string): string => `KAFKA_${setting.toUpperCase().replaceAll('.', '_')}`
