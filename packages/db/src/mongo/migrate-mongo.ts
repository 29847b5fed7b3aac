import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@parley/kit'
import { openMongoLocks } from './locks.ts'
import { type MongoDatabase, type MongoOptions, openMongo } from './open-mongo.ts'

/** A step of a database's history: never changed once released, and of the same effect when it runs again after a failure. */
export interface MongoStep {
  /** `0001_what`. */
  readonly name: string
  run(database: Pick<MongoDatabase, 'collection'>): Promise<void>
}

export interface MigrateMongoOptions extends Pick<MongoOptions, 'url' | 'log'> {
  readonly steps: readonly MongoStep[]
}

interface Ran {
  readonly _id: string
  readonly at: Date
}

/** Between two looks at a lock that another replica holds, in milliseconds. */
const lookMs = 100

/**
 * Brings a database up to date, over a connection of its own, and records in the collection `migrations` what ran.
 * All replicas may call it at once; one migrates and the others wait. Steps of a later version stay: this one works with them, too.
 * @throws when a step fails, is missing or was added before one that already ran
 */
export async function migrateMongo({ url, steps, log }: MigrateMongoOptions): Promise<void> {
  const database = openMongo({ url, log, operationMs: 0 })
  try {
    await database.ping()
    const locks = openMongoLocks(database)
    while (!(await locks.run('migrate', () => runMissing(database, steps, log)))) await delay(lookMs)
  } finally {
    await database.close()
  }
}

async function runMissing(database: MongoDatabase, steps: readonly MongoStep[], log: Logger): Promise<void> {
  const record = await database.collection<Ran>('migrations')
  const ran = (await record.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)
  for (const [nth, { name }] of steps.slice(0, ran.length).entries()) {
    if (ran[nth] !== name) throw new Error(`The migration ${ran[nth]} ran here and is not the ${nth + 1}. one known`)
  }
  for (const step of steps.slice(ran.length)) {
    await step.run(database)
    await record.insertOne({ _id: step.name, at: await database.now() })
    log.info({ step: step.name }, 'migrated')
  }
}
