import type { StoreReport } from '@parley/kit'
import { compareMigrations } from '../inspect-postgres.ts'
import type { MongoStep } from './migrate-mongo.ts'
import type { MongoDatabase } from './open-mongo.ts'

/** The server's version, and how the database compares to this version's migration steps. Changes nothing. @throws the server's errors */
export async function inspectMongo(database: MongoDatabase, steps: readonly MongoStep[]): Promise<StoreReport> {
  const { db } = await database.connection.asPromise()
  if (db === undefined) throw new Error('The connection to MongoDB is closed')
  const { version } = await db.command({ buildInfo: 1 })
  const ran = await db.collection<{ _id: string }>('migrations').find().toArray()
  return {
    engine: `MongoDB ${version}`,
    now: await database.now(),
    ...compareMigrations(
      ran.map(({ _id }) => _id),
      steps.map(({ name }) => name),
    ),
  }
}
