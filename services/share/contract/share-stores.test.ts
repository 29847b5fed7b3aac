import { openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, beforeAll } from 'vitest'
import { openShareStores, type ShareStores } from '../src/store/index.ts'
import { openMongoShareStores } from '../src/store/mongo-stores.ts'
import { shareStoreContract } from './suites/shares.ts'

const log = createLogger('share-contract', 'silent')

/** Two replicas, opened once for the file. */
function givenStores(open: () => Promise<{ stores: () => ShareStores; drop: () => Promise<unknown> }>) {
  let opened: readonly ShareStores[] = []
  let drop: (() => Promise<unknown>) | undefined
  beforeAll(async () => {
    const engine = await open()
    drop = engine.drop
    opened = [engine.stores(), engine.stores()]
    await Promise.all(opened.map((stores) => stores.migrate()))
  })
  afterAll(async () => {
    await Promise.all(opened.map((stores) => stores.close()))
    await drop?.()
  })
  return () => {
    const [one, two] = opened
    if (one === undefined || two === undefined) throw new Error('The stores are opened before the first test')
    return { one: one.shares, two: two.shares }
  }
}

onEngine('postgres', () => {
  shareStoreContract(
    'PostgreSQL',
    givenStores(async () => {
      const { url, drop } = await testDatabase()
      return { stores: () => openShareStores({ url, log }), drop }
    }),
  )
})

onEngine('mongo', () => {
  shareStoreContract(
    'MongoDB',
    givenStores(async () => {
      const url = testMongoUrl()
      const drop = async () => {
        const database = openMongo({ url, log })
        await database.connection.dropDatabase()
        await database.close()
      }
      return { stores: () => openMongoShareStores({ url, log }), drop }
    }),
  )
})
