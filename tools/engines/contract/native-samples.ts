import { openMongo } from '@parley/db/mongo'
import { createLogger, newId } from '@parley/kit'
import { Kafka, logLevel } from 'kafkajs'
import pg from 'pg'
import {
  type EngineName,
  type NativeEngine,
  type NativeOptions,
  startNativeKafka,
  startNativeMongo,
  startNativePostgres,
} from '../src/index.ts'

/** An engine for fault injection, and the simplest way to use it. */
export interface NativeSample {
  readonly name: EngineName
  start(options: NativeOptions): Promise<NativeEngine>
  /** Resolves once the engine has acknowledged the write; rejects after some seconds without an answer. */
  write(url: string, word: string): Promise<unknown>
  /** All written words. */
  read(url: string): Promise<readonly string[]>
}

const topic = 'words'

const kafkaSample: NativeSample = {
  name: 'kafka',
  start: startNativeKafka,
  async write(url, word) {
    const kafka = kafkaAt(url)
    const [admin, producer] = [kafka.admin(), kafka.producer()]
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
    await admin.disconnect()
    await producer.connect()
    await producer.send({ topic, acks: -1, messages: [{ value: word }] })
    await producer.disconnect()
  },
  async read(url) {
    const kafka = kafkaAt(url)
    const [admin, consumer] = [kafka.admin(), kafka.consumer({ groupId: newId(), maxWaitTimeInMs: 50 })]
    await admin.connect()
    const [partition] = await admin.fetchTopicOffsets(topic)
    await admin.disconnect()
    const words: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      async eachMessage({ message }) {
        words.push(String(message.value))
        if (Number(message.offset) + 1 === Number(partition?.offset)) resolve()
      },
    })
    await promise
    await consumer.disconnect()
    return words
  },
}

/** A client that gives up after some seconds. */
const kafkaAt = (url: string): Kafka =>
  new Kafka({ brokers: [url], logLevel: logLevel.NOTHING, requestTimeout: 3_000, retry: { retries: 2 } })

const mongoSample: NativeSample = {
  name: 'mongo',
  start: startNativeMongo,
  write: (url, word) => withWords(url, (words) => words.insertOne({ word })),
  read: (url) =>
    withWords(url, async (words) => (await words.find().sort({ _id: 1 }).toArray()).map(({ word }) => word)),
}

type Words = Awaited<ReturnType<ReturnType<typeof openMongo>['collection']>>

async function withWords<T>(url: string, use: (words: Words) => Promise<T>): Promise<T> {
  const mongo = openMongo({ url: `${url}/words`, log: createLogger('native-sample', 'silent') })
  try {
    return await use(await mongo.collection('words'))
  } finally {
    await mongo.close()
  }
}

const postgresSample: NativeSample = {
  name: 'postgres',
  start: startNativePostgres,
  async write(url, word) {
    await query(url, 'create table if not exists words (nth bigserial, word text)')
    await query(url, 'insert into words (word) values ($1)', [word])
  },
  read: async (url) => (await query(url, 'select word from words order by nth')).map(({ word }) => word),
}

async function query(url: string, text: string, values: string[] = []): Promise<{ word: string }[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Engines with persistent data, so without Redis. */
export const nativeSamples: readonly NativeSample[] = [kafkaSample, mongoSample, postgresSample]
