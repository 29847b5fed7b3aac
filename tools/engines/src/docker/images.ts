import { freePort, newId } from '@parley/kit'
import { readEngineConfig } from '../config.ts'
import { isKafkaReady } from '../native/kafka-ready.ts'
import { kafkaSettings } from '../native/kafka-settings.ts'
import type { EngineName } from '../native/native-engine.ts'

/** How to run the official image of an engine. */
export interface ImagePlan {
  readonly image: string
  readonly port: number | { readonly container: number; readonly host: number }
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  /** Its log message once it is ready, or a command in the container that succeeds then; without either, an open port counts. */
  readonly readyMessage?: string
  readonly healthCheck?: readonly string[]
  urlAt(host: string, port: number): string
  /** Resolves once it serves clients, if it listens long before that; retried until it succeeds. */
  ready?(url: string): Promise<void>
}

/** The official images. */
export const images: Readonly<Record<EngineName, () => Promise<ImagePlan>>> = {
  async kafka() {
    // Chosen in advance, because the broker must advertise it to clients.
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
      // During initialisation it listens on a socket inside the container only.
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

/** The image's variable for a setting. */
const variableOf = (setting: string): string => `KAFKA_${setting.toUpperCase().replaceAll('.', '_')}`
