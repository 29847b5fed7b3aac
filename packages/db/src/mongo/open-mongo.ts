import { type Logger, onceOnly, retryWithBackoff } from '@parley/kit'
import { type Connection, type ConnectOptions, Mongoose, type mongo } from 'mongoose'
import { connectionThatEnds } from './driver-connection.ts'
import { createServerClock } from './server-clock.ts'

export interface MongoOptions {
  /** Names the database. Its connection options, such as `retryWrites`, apply; it cannot choose how durable writes are. */
  readonly url: string
  readonly log: Logger
  /** Longest that an operation may take, in milliseconds; 0 for no limit, 10 s by default. */
  readonly operationMs?: number
}

export type MongoDatabase = ReturnType<typeof openMongo>

/** How long operations wait for a server that is not available. Milliseconds. */
const unavailableMs = 2_000
const heartbeatMs = 1_000
const oldestMajor = 6
const defaultOperationMs = 10_000

const settings = {
  autoIndex: false,
  autoCreate: false,
  serverSelectionTimeoutMS: unavailableMs,
  // A server that hangs is noticed after this time and that to connect.
  heartbeatFrequencyMS: heartbeatMs,
  maxPoolSize: 20,
  // By default a pool begins empty and opens two connections at a time: the first burst of a new replica would wait for their handshakes.
  minPoolSize: 4,
  maxConnecting: 5,
  readPreference: 'primary',
  readConcernLevel: 'majority',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: defaultOperationMs / 2 },
  ignoreUndefined: true,
} satisfies ConnectOptions

/**
 * How long a server may take to answer a connection or a check, and an operation may wait for a connection in use, unless the URL says so. The
 * latter is longer, as many may be in use on a busy machine; when the server is found unavailable, those that wait fail at once.
 */
const patience = { connectTimeoutMS: unavailableMs, waitQueueTimeoutMS: 5_000 }

/** Time-outs in the URL take precedence, which the driver would not allow by itself. */
export function patienceBeside(url: string): Partial<typeof patience> {
  const given = new Set([...new URLSearchParams(url.split('?')[1]).keys()].map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(patience).filter(([name]) => !given.has(name.toLowerCase())))
}

/**
 * Connects in the background, for the first time as after a loss, as often as it takes. Acknowledged writes are on the disks of a majority, and only
 * such are read.
 */
export function openMongo(options: MongoOptions) {
  const connection = createConnection()
  const closing = new AbortController()
  const connecting = connect(connection, options, closing.signal)
  const db = async () => {
    await connection.asPromise()
    if (connection.db === undefined) throw new Error('The connection to MongoDB is closed')
    return connection.db
  }
  const readTime = async (): Promise<Date> => {
    // The old name of `hello`, which every server of the protocol answers.
    const { localTime } = await (await db()).command({ isMaster: 1 })
    return localTime as Date
  }
  const time = createServerClock(readTime)
  return {
    /** The service's own: models are created on it. Operations issued before it is connected wait up to 2 s. */
    connection,
    /** A collection without a model. Rejects when the database was not reached so far. */
    collection: async <Document extends mongo.Document>(name: string): Promise<mongo.Collection<Document>> =>
      (await db()).collection(name),
    /** The server's time, by which leases are counted: one lasts from the latest that it may be, and has run out at the earliest that it may be. */
    time,
    /** The latest that the server's time may be, for dates. */
    now: async () => (await time()).latest,
    /** Rejects when the database cannot be asked, or is older than MongoDB 6. */
    async ping(): Promise<void> {
      const { version } = await (await db()).command({ buildInfo: 1 })
      if (Number.parseInt(version, 10) < oldestMajor) throw new Error(`MongoDB ${version} is older than ${oldestMajor}`)
    },
    /** Idempotent. */
    close: onceOnly(async () => {
      closing.abort()
      await connecting
      await connection.destroy()
    }),
  }
}

/** An instance of its own, since several services may share a process. */
const createConnection = (): Connection =>
  new Mongoose({ bufferTimeoutMS: unavailableMs, strictQuery: 'throw' }).createConnection()

/** The driver connects again by itself, but not for the first time. */
async function connect(connection: Connection, options: MongoOptions, signal: AbortSignal): Promise<void> {
  const { url, log, operationMs = defaultOperationMs } = options
  // An option of the driver that its types leave out.
  const all = {
    ...settings,
    ...patienceBeside(url),
    socketTimeoutMS: operationMs,
    connectionType: connectionThatEnds(),
  }
  await retryWithBackoff({ what: 'MongoDB', act: () => connection.openUri(url, all), log, signal })
  connection.on('disconnected', () => {
    if (!signal.aborted) log.warn('the connection to MongoDB was lost')
  })
}
